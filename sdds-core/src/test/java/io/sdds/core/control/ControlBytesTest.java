package io.sdds.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.KeptBytes;
import io.sdds.core.protocol.Limits;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Control messages are the bytes that this build of the protocol has, in src/test/resources/protocol/control.txt
 * ({@link KeptBytes}).
 */
class ControlBytesTest {
    private static final Path FILE = Path.of("src/test/resources/protocol/control.txt");
    private static final long SEED = 1;

    private final KeptBytes kept = new KeptBytes(FILE, Limits.PROTOCOL_VERSION);

    /** The bytes of one message of each type, as this version writes them. */
    private static Map<String, byte[]> written() throws ReflectiveOperationException {
        Map<String, byte[]> written = new LinkedHashMap<>();
        for (Class<? extends ControlMessage> type : ControlFrame.types()) {
            SplittableRandom random =
                    new SplittableRandom(SEED + type.getSimpleName().hashCode());
            ByteBuf frame = Unpooled.buffer();
            ControlFrame.write(frame, ControlFrame.REQUEST, 7, type.cast(new SampleRecords(random).make(type, 0)));
            written.put(type.getSimpleName(), ByteBufUtil.getBytes(frame));
        }
        return written;
    }

    @Test
    void everyMessageIsWrittenAsItIsKept() throws ReflectiveOperationException {
        kept.check(written());
    }

    @Test
    void everyKeptMessageIsRead() {
        kept.all().forEach((type, bytes) -> {
            ControlMessage message = ControlFrame.read(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
            assertThat(message.getClass().getSimpleName()).isEqualTo(type);
        });
        assertThat(kept.all()).hasSize(ControlFrame.types().size());
    }
}
