package io.sdds.cli.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.RecordReader.Item;
import io.sdds.core.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a format writes it reads back. */
class FormatPropertyTest {
    private static final int RECORDS = 2000;
    private static final String SPECIAL = "\t\n\r\\\"',{}äλ😀\u0000\u001f ";

    private final long seed = Seeds.next("FormatPropertyTest");
    private final SplittableRandom random = new SplittableRandom(seed);

    @ParameterizedTest
    @EnumSource
    void readsBackTextItWrote(Format format) throws IOException {
        List<byte[][]> records = new ArrayList<>();
        for (int k = 0; k < RECORDS; k++) {
            records.add(new byte[][] {utf8("k" + k + text()), utf8(text())});
        }
        assertReadsBack(format, new Text(false), records);
    }

    @ParameterizedTest
    @EnumSource
    void readsBackBytesItWroteInHexadecimalDigits(Format format) throws IOException {
        List<byte[][]> records = new ArrayList<>();
        for (int k = 0; k < RECORDS; k++) {
            byte[] value = new byte[random.nextInt(50)];
            random.nextBytes(value);
            records.add(new byte[][] {{(byte) k, (byte) (k >> 8)}, value});
        }
        assertReadsBack(format, new Text(true), records);
    }

    @ParameterizedTest
    @EnumSource
    void readsBackBytesThatAreNoText(Format format) throws IOException {
        List<byte[][]> records = new ArrayList<>();
        for (int k = 0; k < RECORDS; k++) {
            records.add(new byte[][] {mixed("k" + k), mixed("")});
        }
        assertReadsBack(format, new Text(false), records);
        assertThat(new String(Records.written(format, new Text(false), records), StandardCharsets.UTF_8))
                .as("seed %d", seed)
                .doesNotContain("\ufffd");
    }

    /** Text with pieces that are not, and with what looks like the escapes of such pieces. */
    private byte[] mixed(String begin) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(utf8(begin));
        for (int k = random.nextInt(6); k > 0; k--) {
            byte[] some = new byte[random.nextInt(5)];
            random.nextBytes(some);
            switch (random.nextInt(4)) {
                case 0 -> bytes.write(some);
                case 1 -> bytes.write(utf8(text()));
                case 2 -> bytes.write(utf8("\\x" + HexFormat.of().formatHex(some)));
                default -> bytes.write(utf8("{\"$hex\":\"ff\"}"));
            }
        }
        return bytes.toByteArray();
    }

    private void assertReadsBack(Format format, Text text, List<byte[][]> records) throws IOException {
        byte[] content = Records.written(format, text, records);
        List<byte[][]> read = new ArrayList<>();
        try (RecordReader reader = format.reader(new ByteArrayInputStream(content), text, null)) {
            for (Item item = reader.next(); item != null; item = reader.next()) {
                assertThat(item).as("seed %d", seed).isInstanceOf(Entry.class);
                if (item instanceof Entry entry) {
                    read.add(new byte[][] {entry.key(), entry.value()});
                }
            }
        }
        assertThat(read).as("seed %d", seed).hasSameSizeAs(records);
        for (int k = 0; k < read.size(); k++) {
            assertThat(read.get(k)).as("seed %d, record %d", seed, k).isDeepEqualTo(records.get(k));
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int k = random.nextInt(12); k > 0; k--) {
            int at = random.nextInt(SPECIAL.codePointCount(0, SPECIAL.length()));
            text.appendCodePoint(
                    random.nextBoolean()
                            ? 'a' + random.nextInt(26)
                            : SPECIAL.codePoints().skip(at).findFirst().orElse('?'));
        }
        return text.toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
