package io.sdds.sim.watch;

import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The log of one group while a migration is under way, as PREPAREs and VOTEs show it: the entry by which keys change
 * hands (the switch), who has voted for it, and the writes of moving keys that not all members have voted for.
 */
final class SwitchLog {
    private final long migration;
    private final byte kind;
    private final Predicate<byte[]> moves;
    private final Map<Long, List<Member>> members = new TreeMap<>();
    private final SeenVotes votes;
    private final int table;
    private final int partition;

    /** Seqs of writes of moving keys, and of clears, that some member has not voted for yet. */
    private final TreeSet<Long> undecided = new TreeSet<>();

    /** By seq, the writes of moving keys that were sent while the migration was under way. */
    private final NavigableMap<Long, WriteId> writes = new TreeMap<>();

    private long epoch;
    private long last;

    /** Seq of the switch; 0: no primary has it in its log. */
    private long seq;

    /** Whether a message was too long to be seen whole, so that the switch may have been in it. */
    private boolean missesEntries;

    private boolean hadOneMember;
    private boolean decided;

    /**
     * @param partition whose group this is the log of
     * @param ordered where the group was when the migration was ordered
     * @param kind of the entry that is the switch
     * @param moves whether a key changes hands
     */
    SwitchLog(MigrationOrder order, int partition, Place ordered, byte kind, Predicate<byte[]> moves, SeenVotes votes) {
        this.migration = order.id();
        this.table = order.table();
        this.partition = partition;
        this.votes = votes;
        this.epoch = ordered.epoch();
        place(ordered);
        this.kind = kind;
        this.moves = moves;
    }

    /** Session and number of a client's write. */
    record WriteId(long session, long number) {}

    /** The group has these members in an epoch. */
    void place(Place place) {
        members.put(place.epoch(), place.members());
        hadOneMember |= place.members().size() == 1;
    }

    /** A message of the primary was too long to be seen whole. */
    void preparedUnseen() {
        missesEntries = true;
    }

    /**
     * The primary sends entries.
     *
     * @return the seq of a new write of a moving key that stands behind the switch; 0 if there is none
     */
    long prepared(DecodedPrepare prepare) {
        if (prepare.header().epoch() < epoch) {
            return 0; // of a primary that was left behind: nothing of it is committed
        }
        if (prepare.header().epoch() > epoch) {
            begin(prepare);
        }
        long behind = 0;
        for (int k = 0; k < prepare.entries().size(); k++) {
            DecodedEntry entry = prepare.entries().get(k);
            long at = prepare.first() + k;
            DecodedEntry.Moving moving = entry.moving();
            if (moving != null && moving.migration() == migration && entry.kind() == kind) {
                seq = at;
            } else if (isMoving(entry) && at > prepare.committed() && at > votedByAll(epoch)) {
                undecided.add(at);
                if (entry.isOfKey() && entry.session() != 0) {
                    writes.put(at, new WriteId(entry.session(), entry.seq()));
                }
                behind = seq != 0 && at > seq && entry.isOfKey() ? at : behind;
            }
        }
        last = Math.max(last, prepare.first() + prepare.entries().size() - 1);
        return behind;
    }

    /** A new primary cuts off what is behind the last entry of its log. */
    private void begin(DecodedPrepare prepare) {
        undecided.tailSet(prepare.start(), false).clear();
        writes.tailMap(prepare.start(), false).clear();
        last = Math.min(last, prepare.start());
        seq = seq > prepare.start() ? 0 : seq;
        epoch = prepare.header().epoch();
    }

    private boolean isMoving(DecodedEntry entry) {
        return entry.isOfKey() ? moves.test(entry.key()) : entry.kind() == DecodedEntry.CLEAR;
    }

    /** A new write of a moving key in a PREPARE that is not behind the switch; 0 if there is none. */
    long newWriteBeforeSwitch(DecodedPrepare prepare) {
        for (int k = 0; k < prepare.entries().size(); k++) {
            DecodedEntry entry = prepare.entries().get(k);
            long at = prepare.first() + k;
            boolean isBefore = seq == 0 || at < seq;
            if (isBefore && at > prepare.committed() && entry.isOfKey() && moves.test(entry.key())) {
                return at;
            }
        }
        return 0;
    }

    /** A member has voted in an epoch. */
    void voted(long inEpoch) {
        decided |= seq != 0 && members.containsKey(inEpoch) && seq <= votedByAll(inEpoch);
    }

    /** All members of an epoch but its primary have voted for the entries up to this seq. */
    private long votedByAll(long inEpoch) {
        List<Member> all = members.getOrDefault(inEpoch, List.of());
        return votes.ofAll(table, partition, inEpoch, all.stream().skip(1).toList());
    }

    /** The first write of a moving key, or clear, that some member has not voted for yet; 0 if there is none. */
    long firstUndecided() {
        undecided.headSet(votedByAll(epoch), true).clear();
        return undecided.isEmpty() ? 0 : undecided.first();
    }

    /** The last entry that a primary has sent. */
    long last() {
        return last;
    }

    /** The first write of a moving key between an entry and the switch that is not among these; 0 if there is none. */
    long firstUnsent(Set<WriteId> sent, long behind) {
        if (seq <= behind) {
            return 0;
        }
        return writes.subMap(behind, false, seq, false).entrySet().stream()
                .filter(write -> !sent.contains(write.getValue()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(0L);
    }

    /** As {@link #firstUndecided}, of the entries before the switch. */
    long undecidedBeforeSwitch() {
        long first = firstUndecided();
        return first < seq ? first : 0;
    }

    /** Whether a primary has the switch in its log. */
    boolean hasSwitch() {
        return seq != 0;
    }

    /** Whether all members have voted for the switch in one epoch. */
    boolean isDecided() {
        return decided;
    }

    /** As {@link #isDecided}, or the switch may be committed by a sole member, or without having been seen. */
    boolean mayBeDecided() {
        return decided || hadOneMember || missesEntries;
    }
}
