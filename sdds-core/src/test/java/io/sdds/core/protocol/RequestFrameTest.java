package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class RequestFrameTest {
    private static final String KEY = "key";

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
        assertThat(problem(Opcode.PUT, 128, 0)).contains("flags");
    }

    @Test
    void aTouchSaysHowLong() {
        assertThat(problem(Opcode.TOUCH, RequestFrame.FLAG_TTL, 8)).isNull();
        assertThat(problem(Opcode.TOUCH, 0, 0)).contains("flags");
    }
}
