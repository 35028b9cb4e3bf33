package io.sdds.sim.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.ClusterSeeds;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulator's decoders read and write the frames that the nodes send: a layout that changes is noticed here, not by
 * planted bugs that do nothing any more.
 */
class DecodedFramesSimTest {
    private static final int OPERATIONS = 1000;

    /** Frames of real runs, decoded and encoded again, are the same bytes; each kind of entry is met. */
    @ParameterizedTest
    @EnumSource(
            value = Scenario.class,
            names = {"GROWING", "REPLICATED_SHRINKING", "REPLICATED_RANGE_SHRINKING"})
    void framesOfARunAreTheSameWhenDecodedAndEncoded(Scenario scenario) {
        Seen seen = new Seen();
        for (long seed = 1; seed <= 4; seed++) {
            new ClusterSeeds(scenario, ClusterPlan.Severity.CALM, OPERATIONS)
                    .run(seed, cluster -> cluster.simulation().network().watch(seen));
        }
        assertThat(seen.differing).isEmpty();
        assertThat(seen.counts.get(Kind.SLICE)).isPositive();
        assertThat(seen.counts.get(Kind.COPIED)).isPositive();
        assertThat(seen.counts.get(Kind.KEPT)).isPositive();
        if (scenario != Scenario.GROWING) {
            assertThat(seen.counts.keySet())
                    .containsAll(EnumSet.complementOf(EnumSet.of(Kind.DELTA, Kind.DELTA_DROP, Kind.DELTA_RERANK)));
        }
    }

    /** The same of entries for parity members, and of columns that move. */
    @Test
    void deltasAreTheSameWhenDecodedAndEncoded() {
        Seen seen = new Seen();
        for (long seed = 1; seed <= 6; seed++) {
            new ClusterSeeds(Scenario.PARITY, ClusterPlan.Severity.CALM, OPERATIONS)
                    .run(seed, cluster -> cluster.simulation().network().watch(seen));
        }
        assertThat(seen.differing).isEmpty();
        assertThat(seen.counts)
                .containsKeys(Kind.PREPARE, Kind.VOTE, Kind.WRITE, Kind.DELTA, Kind.DELTA_DROP, Kind.DELTA_RERANK);
    }

    /** Requests and replies as well: bugs change them too. */
    @Test
    void requestsAndRepliesAreTheSameWhenDecodedAndEncoded() {
        for (Scenario scenario : List.of(Scenario.CLEARING, Scenario.RANGE_SHRINKING)) {
            List<String> differing = new ArrayList<>();
            new ClusterSeeds(scenario, ClusterPlan.Severity.ROUGH, OPERATIONS)
                    .run(
                            1,
                            cluster -> cluster.simulation()
                                    .network()
                                    .watch((connection, from, to, frame, index, length) -> {
                                        byte opcode = frame.getByte(index + 4);
                                        ByteBuf again = length != frame.getIntLE(index)
                                                ? null
                                                : Opcode.isRequest(opcode)
                                                        ? DecodedRequest.read(frame, index, length)
                                                                .frame()
                                                        : opcode == Opcode.REPLY
                                                                ? DecodedReply.read(frame, index, length)
                                                                        .frame()
                                                                : null;
                                        if (again != null && !ByteBufUtil.equals(again, frame.slice(index, length))) {
                                            differing.add(FrameText.of(frame, index, length));
                                        }
                                    }));
            assertThat(differing).isEmpty();
        }
    }

    private enum Kind {
        PREPARE,
        VOTE,
        SLICE,
        COPIED,
        REMOVED,
        KEPT,
        SEALED,
        WRITE,
        OWNER_CHANGE,
        DELTA,
        DELTA_DROP,
        DELTA_RERANK
    }

    private static final class Seen implements SimNetwork.FrameWatch {
        private final List<String> differing = new ArrayList<>();
        private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

        @Override
        public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            if (length != frame.getIntLE(index)) {
                return; // the beginning of a message in fragments
            }
            ByteBuf again = switch (frame.getByte(index + 4)) {
                case Opcode.PREPARE -> prepare(DecodedPrepare.read(frame, index, length));
                case Opcode.VOTE -> vote(DecodedVote.read(frame, index, length));
                case Opcode.SLICE -> slice(DecodedSlice.read(frame, index, length));
                default -> null;
            };
            if (again != null && !ByteBufUtil.equals(again, frame.slice(index, length))) {
                differing.add(FrameText.of(frame, index, length) + " became " + FrameText.of(again, 0, length));
            }
        }

        private ByteBuf prepare(DecodedPrepare prepare) {
            count(Kind.PREPARE, 1);
            List<DecodedEntry> entries = new ArrayList<>();
            for (DecodedEntry entry : prepare.entries()) {
                DecodedEntry.Moving moving = entry.moving();
                count(Kind.OWNER_CHANGE, moving == null ? 0 : 1);
                count(Kind.WRITE, entry.session() > 0 ? 1 : 0);
                entries.add(moving == null ? again(entry) : entry.withMoving(moving));
            }
            return prepare.withEntries(entries).frame();
        }

        private DecodedEntry again(DecodedEntry entry) {
            if (!DecodedDeltas.areIn(entry.kind())) {
                return entry;
            }
            count(
                    switch (entry.kind()) {
                        case DecodedEntry.DELTA_DROP -> Kind.DELTA_DROP;
                        case DecodedEntry.DELTA_RERANK -> Kind.DELTA_RERANK;
                        default -> Kind.DELTA;
                    },
                    1);
            return DecodedDeltas.withDeltas(entry, DecodedDeltas.deltas(entry));
        }

        private ByteBuf vote(DecodedVote vote) {
            count(Kind.VOTE, 1);
            return vote.frame();
        }

        private ByteBuf slice(DecodedSlice slice) {
            count(Kind.SLICE, 1);
            count(Kind.COPIED, slice.count(SliceEntry.Copied.class));
            count(Kind.REMOVED, slice.count(SliceEntry.Removed.class));
            count(Kind.KEPT, slice.count(SliceEntry.Kept.class));
            count(Kind.SEALED, slice.count(SliceEntry.Sealed.class));
            return slice.frame();
        }

        private void count(Kind kind, long more) {
            if (more > 0) {
                counts.merge(kind, more, Long::sum);
            }
        }
    }

    @Test
    void aPrepareThatEndsWithinAnEntryIsRefused() {
        DecodedEntry put = put("k", "value");
        ByteBuf frame = new DecodedPrepare(header(Opcode.PREPARE), 7, 6, 5, 4, List.of(put, put)).frame();
        int cut = frame.readableBytes() - 1;
        assertThatThrownBy(() -> DecodedPrepare.read(frame, 0, cut)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSliceWithAnUnknownEntryIsRefused() {
        ByteBuf frame = Unpooled.buffer();
        new SliceHeader(1, 1, 1, 1).write(frame, SliceHeader.BYTES + 1);
        frame.writeByte(9);
        assertThatThrownBy(() -> DecodedSlice.read(frame, 0, frame.readableBytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind 9");
    }

    @Test
    void aTraceTellsTheFramesOfGroupsAndCopies() {
        ByteBuf prepare = new DecodedPrepare(header(Opcode.PREPARE), 7, 6, 5, 4, List.of(put("k", "value"))).frame();
        assertThat(text(prepare))
                .isEqualTo("PREPARE t2 p3 epoch 4 start 6 committed 5 stable 4: 7 PUT 'k' = 'value' of epoch 4 v11"
                        + " id 8/9-1 OK 11 at 0.000000012");
        ByteBuf vote = new DecodedVote(header(Opcode.VOTE), 7, 5, 1, 1000, 3).frame();
        assertThat(text(vote)).isEqualTo("VOTE t2 p3 epoch 4 verified 7 committed 5 of brick 1 credit 1000");
        List<SliceEntry> entries = List.of(
                new SliceEntry.Copied(bytes("k"), bytes("value"), 11, null),
                new SliceEntry.Removed(bytes("l")),
                new SliceEntry.Kept(8, 9, 8, 1, (byte) 0, 11),
                new SliceEntry.Sealed(4, 7, 11, 12));
        ByteBuf slice = new DecodedSlice(new SliceHeader(5, 1, 3, 2), entries).frame();
        assertThat(DecodedSlice.isSealed(slice, 0, slice.readableBytes())).isTrue();
        assertThat(text(slice))
                .isEqualTo("SLICE migration 5/1 to p3 number 2, 1 records, 1 removals, 1 results, sealed, 100 bytes:"
                        + " 'k' = 'value' v11; REMOVE 'l'; RESULT 8/9 low 8 OK 11;"
                        + " SEAL epoch 4 index 7 v11 at 0.000000012");
    }

    @Test
    void aTraceTellsTheEntriesOfTablesWithParity() {
        DecodedEntry drop = entry(DecodedEntry.DROP);
        DecodedEntry dropped = DecodedDeltas.withDropped(drop, List.of(new DecodedDeltas.Dropped(0xabL, 3)));
        assertThat(DecodedDeltas.dropped(dropped)).containsExactly(new DecodedDeltas.Dropped(0xabL, 3));
        assertThat(dropped).hasToString("DROP rank 3 (xab) of epoch 4 v11 at 0.000000012");
        List<DecodedDeltas.Delta> two =
                List.of(new DecodedDeltas.Delta(3, bytes("ab")), new DecodedDeltas.Delta(9, bytes("c")));
        GroupHeader toParity = new GroupHeader(Opcode.PREPARE, 0, 4, 2, 3, 4);
        List<DecodedEntry> entries = List.of(
                DecodedDeltas.withDeltas(entry(DecodedEntry.DELTA), two.subList(0, 1)),
                DecodedDeltas.withDeltas(entry(DecodedEntry.DELTA_DROP), two),
                DecodedDeltas.withReranked(
                        entry(DecodedEntry.DELTA_RERANK), List.of(new DecodedDeltas.Reranked(9, 2, 0xab, bytes("c")))));
        assertThat(text(new DecodedPrepare(toParity, 7, 6, 5, 4, entries).frame()))
                .isEqualTo("PREPARE t2 p3 epoch 4 to a parity of 4 start 6 committed 5 stable 4:"
                        + " 7 DELTA rank 3 'ab' of epoch 4 v11 at 0.000000012;"
                        + " 8 DELTA_DROP rank 3 'ab', rank 9 'c' of epoch 4 v11 at 0.000000012;"
                        + " 9 DELTA_RERANK rank 9 to 2 'c' of epoch 4 v11 at 0.000000012");
    }

    private static DecodedEntry entry(byte kind) {
        return new DecodedEntry(kind, (byte) 0, 4, 11, 12, 0, 0, 0, 0, 0, 0, new byte[0], new byte[0]);
    }

    private static String text(ByteBuf frame) {
        return FrameText.of(frame, 0, frame.readableBytes());
    }

    private static GroupHeader header(byte opcode) {
        return new GroupHeader(opcode, 0, 0, 2, 3, 4);
    }

    private static DecodedEntry put(String key, String value) {
        return new DecodedEntry(DecodedEntry.PUT, (byte) 0, 4, 11, 12, 8, 9, 8, 11, 0, 77, bytes(key), bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
