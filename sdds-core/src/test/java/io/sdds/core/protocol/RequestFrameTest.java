package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.Buffers;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RequestFrameTest {
    private static final String KEY = "key";
    private static final int AT = 5;

    private static String problem(byte opcode, int flags, int bytesBehindKey) {
        int length = RequestFrame.body(opcode) + KEY.length() + bytesBehindKey;
        ByteBuf frame = Unpooled.buffer(length);
        RequestFrame.writeHeader(frame, length, opcode, flags, 1, 1, 0, 100, 1, KEY.length());
        if (Opcode.isWrite(opcode)) {
            RequestFrame.writeRequestId(frame, 1, 1, 1);
        }
        frame.writeBytes(KEY.getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .writeZero(bytesBehindKey);
        return RequestFrame.problem(frame, 0, length);
    }

    @Test
    void whatAWriteSaysOfItsRecordTakesItsPlaceBehindTheKey() {
        int both = RequestFrame.FLAG_TTL | RequestFrame.FLAG_VERSION;
        assertThat(problem(Opcode.PUT, RequestFrame.FLAG_TTL, 8)).isNull();
        assertThat(problem(Opcode.PUT, RequestFrame.FLAG_TTL, 7)).isNotNull();
        assertThat(problem(Opcode.REPLACE, both, 16)).isNull();
        assertThat(problem(Opcode.REPLACE, both, 15)).isNotNull();
        assertThat(problem(Opcode.REMOVE, RequestFrame.FLAG_VERSION, 8)).isNull();
        assertThat(problem(Opcode.REMOVE, RequestFrame.FLAG_VERSION, 9)).isNotNull();
        assertThat(problem(Opcode.COMPARE_AND_SET, RequestFrame.FLAG_TTL, 12)).isNull();
        assertThat(problem(Opcode.COMPARE_AND_SET, RequestFrame.FLAG_TTL, 11)).isNotNull();
        assertThat(problem(Opcode.INCREMENT, RequestFrame.FLAG_TTL, 16)).isNull();
        assertThat(problem(Opcode.INCREMENT, RequestFrame.FLAG_TTL, 8)).isNotNull();
        assertThat(problem(Opcode.INCREMENT, RequestFrame.FLAG_INT64, 8)).isNull();
        assertThat(problem(Opcode.INCREMENT, RequestFrame.FLAG_INT64 | RequestFrame.FLAG_TTL, 16))
                .isNull();
    }

    @Test
    void aReadCarriesNothingForItsFlags() {
        assertThat(problem(Opcode.GET, RequestFrame.FLAG_TTL | RequestFrame.FLAG_HEAD, 0))
                .isNull();
        assertThat(problem(Opcode.GET, RequestFrame.FLAG_TTL, 8)).isNotNull();
    }

    @Test
    void flagsThatMeanNothingToAnOpcodeAreRefused() {
        assertThat(problem(Opcode.GET, RequestFrame.FLAG_VERSION, 0)).contains("flags");
        assertThat(problem(Opcode.PUT, RequestFrame.FLAG_VERSION, 8)).contains("flags");
        assertThat(problem(Opcode.PUT, RequestFrame.FLAG_HEAD, 0)).contains("flags");
        assertThat(problem(Opcode.REMOVE, RequestFrame.FLAG_TTL, 8)).contains("flags");
        assertThat(problem(Opcode.PUT, 8, 0)).contains("flags");
        assertThat(problem(Opcode.PUT, 32, 0)).contains("flags");
        assertThat(problem(Opcode.SIZE, RequestFrame.FLAG_MULTICAST, 16)).contains("flags");
    }

    @Test
    void aRequestForAKeyMayGoToAllBricksAndAskToBeTaught() {
        int toAll = RequestFrame.FLAG_MULTICAST | RequestFrame.FLAG_TEACH;
        assertThat(problem(Opcode.GET, toAll, 0)).isNull();
        assertThat(problem(Opcode.PUT, toAll, 0)).isNull();
        assertThat(problem(Opcode.PUT, toAll | RequestFrame.FLAG_TTL, 8)).isNull();
        assertThat(problem(Opcode.PUT, toAll | RequestFrame.FLAG_TTL, 7)).isNotNull();
    }

    @Test
    void aTouchSaysHowLong() {
        assertThat(problem(Opcode.TOUCH, RequestFrame.FLAG_TTL, 8)).isNull();
        assertThat(problem(Opcode.TOUCH, 0, 0)).contains("flags");
    }

    /** Codes below {@link Opcode#REPLY} are requests. Each has well-formed frames here, which the other tests need. */
    @Test
    void eachOpcodeOfARequestHasItsFrames() throws IllegalAccessException {
        Set<Byte> requests = new TreeSet<>();
        for (Field constant : Opcode.class.getFields()) {
            byte opcode = constant.getByte(null);
            assertThat(Opcode.isRequest(opcode)).as(constant.getName()).isEqualTo(opcode < Opcode.REPLY);
            if (opcode < Opcode.REPLY) {
                requests.add(opcode);
            }
        }
        assertThat(RequestFrames.all().stream().map(RequestFrames.Made::opcode).collect(Collectors.toSet()))
                .isEqualTo(requests);
    }

    @Test
    void everyRequestComesBackAsItWasWritten() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            ByteBuf frame = behindOtherBytes(made.bytes());
            assertThat(RequestFrame.problem(frame, AT, made.bytes().length))
                    .as("%s", made)
                    .isNull();
            assertThat(frame.getIntLE(AT + RequestFrame.LENGTH)).isEqualTo(made.bytes().length);
            assertThat(frame.getByte(AT + RequestFrame.OPCODE)).isEqualTo(made.opcode());
            assertThat(frame.getByte(AT + RequestFrame.FLAGS)).isEqualTo((byte) made.flags());
            assertThat(frame.getShortLE(AT + RequestFrame.ADDRESSING_HOPS)).isZero();
            assertThat(frame.getIntLE(AT + RequestFrame.CORRELATION)).isEqualTo(RequestFrames.CORRELATION);
            assertThat(frame.getIntLE(AT + RequestFrame.TABLE)).isEqualTo(RequestFrames.TABLE);
            assertThat(frame.getIntLE(AT + RequestFrame.PARTITION)).isEqualTo(RequestFrames.PARTITION);
            assertThat(frame.getIntLE(AT + RequestFrame.DEADLINE_MILLIS)).isEqualTo(RequestFrames.DEADLINE_MILLIS);
            assertThat(frame.getLongLE(AT + RequestFrame.MAP_VERSION)).isEqualTo(RequestFrames.MAP_VERSION);
            if (Opcode.isWrite(made.opcode())) {
                assertThat(frame.getIntLE(AT + RequestFrame.LOW_DISTANCE))
                        .isEqualTo((int) (RequestFrames.SEQ - RequestFrames.LOW));
                assertThat(frame.getLongLE(AT + RequestFrame.SESSION)).isEqualTo(RequestFrames.SESSION);
                assertThat(frame.getLongLE(AT + RequestFrame.SEQ)).isEqualTo(RequestFrames.SEQ);
            }
        }
    }

    /** A cut within a value or filter is an exception, because it makes a shorter value or filter. */
    @Test
    void everyCutOfARequestIsRefusedWithoutReadingBehindIt() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            for (int length = RequestFrame.CORRELATION; length < made.bytes().length; length++) {
                ByteBuf cut = Unpooled.wrappedBuffer(made.bytes(), 0, length);
                assertThat(RequestFrame.problem(cut, 0, length) == null)
                        .as("%s cut to %d of %d bytes", made, length, made.bytes().length)
                        .isEqualTo(length >= made.leastLength());
            }
        }
    }

    @Test
    void bytesBehindARequestOfFixedLengthAreRefused() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            byte[] longer = Arrays.copyOf(made.bytes(), made.bytes().length + 1);
            boolean isOpen = made.leastLength() < made.bytes().length;
            assertThat(RequestFrame.problem(Unpooled.wrappedBuffer(longer), 0, longer.length) == null)
                    .as("%s", made)
                    .isEqualTo(isOpen);
        }
    }

    @Test
    void aKeyThatEndsBehindTheFrameIsRefused() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            for (int keyLength : new int[] {made.bytes().length, 0x7fff, 0x8000, 0xffff}) {
                ByteBuf frame = Buffers.heap().writeBytes(made.bytes());
                frame.setShortLE(RequestFrame.KEY_LENGTH, keyLength);
                assertThat(RequestFrame.problem(frame, 0, made.bytes().length))
                        .as("%s", made)
                        .isNotNull();
            }
        }
    }

    @Test
    void onlyRequestsOfAnIntervalPartsOfProgramsAndCancelsHaveNoKey() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            ByteBuf frame = Buffers.heap().writeBytes(made.bytes());
            frame.setShortLE(RequestFrame.KEY_LENGTH, 0);
            assertThat(RequestFrame.problem(frame, 0, made.bytes().length) == null)
                    .as("%s", made)
                    .isEqualTo(!RequestFrames.hasKey(made.opcode()));
        }
    }

    @Test
    void aBoundStandsBeforeAProgramAndEndsInTheRequest() {
        int scan = RequestFrame.READ_BODY + RequestFrame.INTERVAL_BODY + Integer.BYTES;
        for (RequestFrames.Made made : RequestFrames.all()) {
            boolean isScan = made.opcode() == Opcode.SCAN;
            if (!isScan && made.opcode() != Opcode.RANGE) {
                continue;
            }
            int whatAt = isScan ? scan : made.leastLength() - 1;
            ByteBuf frame = Unpooled.copiedBuffer(made.bytes());
            int rest = frame.writerIndex() - made.leastLength() - Short.BYTES;
            frame.setByte(whatAt, RequestFrame.SCAN_PROGRAM | RequestFrame.SCAN_BOUND);
            frame.setShortLE(made.leastLength(), rest);
            assertThat(RequestFrame.problem(frame, 0, frame.writerIndex()))
                    .as("%s", made)
                    .isNull();
            assertThat(RequestFrame.problem(frame, 0, made.leastLength() + 1)).isNotNull();
            frame.setShortLE(made.leastLength(), rest + 1);
            assertThat(RequestFrame.problem(frame, 0, frame.writerIndex())).isNotNull();
            frame.setShortLE(made.leastLength(), rest);
            frame.setByte(whatAt, RequestFrame.SCAN_KEYS | RequestFrame.SCAN_BOUND);
            assertThat(RequestFrame.problem(frame, 0, frame.writerIndex())).isNotNull();
        }
    }

    @Test
    void anIntervalRequestTakesNoFlags() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            for (int flags = 1; flags < 256 && Opcode.isInterval(made.opcode()); flags++) {
                ByteBuf frame = Buffers.heap().writeBytes(made.bytes());
                frame.setByte(RequestFrame.FLAGS, flags);
                assertThat(RequestFrame.problem(frame, 0, made.bytes().length))
                        .as("%s", made)
                        .contains("flags");
            }
        }
    }

    @Test
    void anExpectedValueOfImpossibleLengthIsRefused() {
        for (RequestFrames.Made made : RequestFrames.all()) {
            int lengthAt = made.leastLength() - RequestFrames.EXPECTED.length() - Integer.BYTES;
            int most = RequestFrames.EXPECTED.length() + RequestFrames.VALUE.length();
            for (int length : new int[] {-1, Integer.MIN_VALUE, most + 1, Limits.VALUE_BYTES_MAX, Integer.MAX_VALUE}) {
                if (made.opcode() == Opcode.COMPARE_AND_SET) {
                    ByteBuf frame = Buffers.heap().writeBytes(made.bytes());
                    frame.setIntLE(lengthAt, length);
                    assertThat(RequestFrame.problem(frame, 0, made.bytes().length))
                            .as("%s expecting %d bytes", made, length)
                            .contains("lengths");
                    assertThat(RequestFrame.problem(frame.setIntLE(lengthAt, most), 0, made.bytes().length))
                            .isNull();
                }
            }
        }
    }

    private static ByteBuf behindOtherBytes(byte[] request) {
        return Buffers.heap().writeZero(AT).writeBytes(request);
    }
}
