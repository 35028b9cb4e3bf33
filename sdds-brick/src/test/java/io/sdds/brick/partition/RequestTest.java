package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.RequestFrames;
import io.sdds.core.query.ProgramHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RequestTest {
    /** Only bricks forward. A client that forwards violates the protocol, too. */
    private static final Link LINK =
            Link.view(new FakeWorld(1).newEnv(), null, Hello.of(Hello.Role.BRICK, "b1", 1), null);

    private final Request request = new Request();

    @Test
    void everyRequestComesBackAsItWasWritten() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            ByteBuf frame = Unpooled.directBuffer().writeZero(5).writeBytes(made.bytes());
            request.read(LINK, frame, Request.memoryOf(frame), 5, made.bytes().length);
            assertThat(request.opcode).isEqualTo(made.opcode());
            assertThat(request.flags).isEqualTo(made.flags());
            assertThat(request.hops + request.addressingHops).isZero();
            assertThat(request.correlation).isEqualTo(RequestFrames.CORRELATION);
            assertThat(request.table).isEqualTo(RequestFrames.TABLE);
            assertThat(request.partition).isEqualTo(RequestFrames.PARTITION);
            assertThat(request.deadlineMillis).isEqualTo(RequestFrames.DEADLINE_MILLIS);
            assertThat(request.mapVersion).isEqualTo(RequestFrames.MAP_VERSION);
            if (request.isWrite()) {
                assertThat(request.session).isEqualTo(RequestFrames.SESSION);
                assertThat(request.seq).isEqualTo(RequestFrames.SEQ);
                assertThat(request.low).isEqualTo(RequestFrames.LOW);
            }
            assertBody();
            frame.release();
        }
    }

    private void assertBody() {
        if (Opcode.isInterval(request.opcode)) {
            assertThat(request.from).isEqualTo(RequestFrames.FROM);
            assertThat(request.end).isEqualTo(RequestFrames.END);
        } else if (request.opcode == Opcode.PROGRAM) {
            assertThat(request.programHash()).isEqualTo(new ProgramHash(RequestFrames.FROM, RequestFrames.END));
            assertThat(request.programLength()).isEqualTo(RequestFrames.PROGRAM_BYTES);
            assertThat(request.programOffset()).isEqualTo(RequestFrames.PROGRAM_OFFSET);
            return;
        } else if (request.opcode == Opcode.CANCEL) {
            assertThat(request.valueLength).isZero();
            return;
        } else {
            assertThat(text(request.keyOffset, request.keyLength)).isEqualTo(RequestFrames.KEY);
        }
        boolean asks = request.opcode == Opcode.GET;
        if (!asks && (request.flags & RequestFrame.FLAG_TTL) != 0) {
            assertThat(request.ttlMillis).isEqualTo(RequestFrames.TTL_MILLIS);
        }
        if (!asks && (request.flags & RequestFrame.FLAG_VERSION) != 0) {
            assertThat(request.expectedVersion).isEqualTo(RequestFrames.VERSION);
        }
        switch (request.opcode) {
            case Opcode.GET, Opcode.REMOVE, Opcode.TOUCH ->
                assertThat(request.valueLength).isZero();
            case Opcode.INCREMENT -> assertThat(request.delta()).isEqualTo(RequestFrames.DELTA);
            case Opcode.COMPARE_AND_SET ->
                assertThat(text(request.expectedOffset(), request.expectedLength()))
                        .isEqualTo(RequestFrames.EXPECTED);
            case Opcode.SCAN -> {
                assertThat(request.scanBytesMax()).isEqualTo(RequestFrames.SCAN_BYTES_MAX);
                assertThat(request.scanWhat()).isEqualTo(RequestFrame.SCAN_KEYS);
                assertThat(request.scanFilter().toString(StandardCharsets.US_ASCII))
                        .isEqualTo(RequestFrames.VALUE);
            }
            case Opcode.SIZE, Opcode.CLEAR -> {}
            case Opcode.RANGE, Opcode.RANGE_CLEAR -> assertRange();
            default ->
                assertThat(text(request.valueOffset, request.valueLength)).isEqualTo(RequestFrames.VALUE);
        }
    }

    private void assertRange() {
        assertThat(text(request.endOffset(), request.endLength)).isEqualTo(RequestFrames.RANGE_END);
        assertThat(request.includesKey()).isEqualTo((request.flags & RequestFrame.FLAG_INCLUSIVE) != 0);
        assertThat(request.includesEnd()).isEqualTo((request.flags & RequestFrame.FLAG_END_INCLUSIVE) != 0);
        assertThat(request.isDescending()).isEqualTo((request.flags & RequestFrame.FLAG_DESCENDING) != 0);
        if (request.opcode == Opcode.RANGE) {
            assertThat(request.rangeBytesMax()).isEqualTo(RequestFrames.SCAN_BYTES_MAX);
            assertThat(request.rangeRecordsMax()).isEqualTo(RequestFrames.RANGE_RECORDS_MAX);
            assertThat(request.rangeWhat()).isEqualTo(RequestFrame.SCAN_KEYS);
            assertThat(request.rangeFilter().toString(StandardCharsets.US_ASCII))
                    .isEqualTo(RequestFrames.VALUE);
        }
    }

    @Test
    void everyCutIsAViolationOrAShorterRequest() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            for (int length = 8; length < made.leastLength(); length++) {
                ByteBuf cut = Unpooled.directBuffer(length, length).writeBytes(made.bytes(), 0, length);
                assertThatThrownBy(() -> request.read(LINK, cut, Request.memoryOf(cut), 0, cut.readableBytes()))
                        .as("%s cut to %d bytes", made, length)
                        .isInstanceOf(ProtocolViolation.class);
                cut.release();
            }
        }
    }

    /** The buffer ends at the end of the frame, so a read behind the frame would throw another exception. */
    @Test
    void mutatedRequestsAreReadWithinTheirFramesOrAreViolations() {
        SplittableRandom random = Seeds.random("RequestTest");
        List<RequestFrames.Made> all = RequestFrames.all();
        int read = 0;
        for (int k = 0; k < 100_000; k++) {
            byte[] bytes = all.get(k % all.size()).bytes();
            int length = random.nextInt(4) == 0 ? random.nextInt(8, bytes.length + 1) : bytes.length;
            ByteBuf frame = Unpooled.directBuffer(length, length).writeBytes(bytes, 0, length);
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                frame.setByte(random.nextInt(5, length), random.nextInt());
            }
            if (random.nextInt(4) == 0) {
                frame.setByte(RequestFrame.OPCODE, random.nextInt(Opcode.GET, Opcode.CANCEL + 1));
            }
            try {
                request.read(LINK, frame, Request.memoryOf(frame), 0, length);
                touchAll(length);
                read++;
            } catch (ProtocolViolation e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
            frame.release();
        }
        assertThat(read).isBetween(10_000, 90_000);
    }

    private void touchAll(int length) {
        if (!Opcode.isRange(request.opcode)) {
            assertThat(request.keyLength > 0).isEqualTo(RequestFrames.hasKey(request.opcode));
        }
        assertThat(request.keyOffset + request.keyLength).isLessThanOrEqualTo(length);
        assertThat(request.valueLength).isNotNegative();
        assertThat(request.valueOffset + request.valueLength).isEqualTo(length);
        switch (request.opcode) {
            case Opcode.INCREMENT -> request.delta();
            case Opcode.COMPARE_AND_SET -> {
                assertThat(request.expectedLength()).isNotNegative();
                assertThat(request.expectedOffset() + request.expectedLength()).isLessThanOrEqualTo(length);
            }
            case Opcode.SCAN -> {
                request.scanBytesMax();
                request.scanWhat();
                assertThat(request.scanFilter().isReadable()
                                || request.bound() != null
                                || length == RequestFrame.READ_BODY + RequestFrame.SCAN_BODY)
                        .isTrue();
            }
            case Opcode.RANGE -> {
                request.rangeBytesMax();
                request.rangeRecordsMax();
                request.rangeWhat();
                ByteBuf bound = request.bound();
                int boundBytes = bound == null ? 0 : Short.BYTES + bound.readableBytes();
                assertThat(request.rangeFilter().readableBytes())
                        .isEqualTo(request.valueLength - RequestFrame.RANGE_BODY - boundBytes);
            }
            case Opcode.PROGRAM -> {
                request.programHash();
                assertThat(request.programPart()).isNotEmpty();
                assertThat(request.programOffset() + request.programPart().length)
                        .isLessThanOrEqualTo(request.programLength());
            }
            case Opcode.RANGE_CLEAR -> assertThat(request.valueLength).isZero();
            default -> {}
        }
    }

    private String text(long at, int length) {
        return request.buffer.toString((int) at, length, StandardCharsets.US_ASCII);
    }
}
