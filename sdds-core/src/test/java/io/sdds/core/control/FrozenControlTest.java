package io.sdds.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Control messages of version 1 as they are kept in src/test/resources/protocol/control-version-1.txt. Bricks, clients
 * and coordinators of different versions send them to each other, so every kept message can be read for ever. A record
 * that is extended gets another line: {@code -Dsdds.frames.write=true} appends the messages that the file does not have
 * yet, and never changes one that it has.
 */
class FrozenControlTest {
    private static final Path FILE = Path.of("src/test/resources/protocol/control-version-1.txt");
    private static final long SEED = 1;

    private static List<String> lines() throws IOException {
        return Files.exists(FILE)
                ? Files.readAllLines(FILE)
                : List.of("# Control messages of version 1 of the protocol, by type, as hex. Never change a line.");
    }

    /** The bytes of one message of each type, as this version writes them. */
    private static Map<String, String> written() throws ReflectiveOperationException {
        Map<String, String> written = new LinkedHashMap<>();
        for (Class<? extends ControlMessage> type : ControlFrame.types()) {
            SplittableRandom random =
                    new SplittableRandom(SEED + type.getSimpleName().hashCode());
            ByteBuf frame = Unpooled.buffer();
            ControlFrame.write(frame, ControlFrame.REQUEST, 7, type.cast(new SampleRecords(random).make(type, 0)));
            written.put(type.getSimpleName(), ByteBufUtil.hexDump(frame));
        }
        return written;
    }

    @Test
    void everyMessageIsWrittenAsItIsKept() throws Exception {
        List<String> kept = new ArrayList<>(lines());
        Map<String, String> written = written();
        if (Boolean.getBoolean("sdds.frames.write")) {
            written.forEach((type, hex) -> {
                if (!kept.contains(type + ": " + hex)) {
                    kept.add(type + ": " + hex);
                }
            });
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, kept);
        }
        written.forEach((type, hex) -> assertThat(kept)
                .as("%s as this version writes it (new? see the comment of this class)", type)
                .contains(type + ": " + hex));
    }

    @Test
    void everyKeptMessageIsRead() throws Exception {
        int read = 0;
        for (String line : lines()) {
            if (!line.startsWith("#")) {
                int colon = line.indexOf(": ");
                ByteBuf frame = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(line.substring(colon + 2)));
                ControlMessage message = ControlFrame.read(frame, 0, frame.readableBytes());
                assertThat(message.getClass().getSimpleName()).isEqualTo(line.substring(0, colon));
                read++;
            }
        }
        assertThat(read).isGreaterThanOrEqualTo(ControlFrame.types().size());
    }
}
