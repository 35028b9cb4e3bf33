package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexRecordTest {
    private static final byte[] LOW = {0, 1};
    private static final byte[] HIGH = {(byte) 0xff, (byte) 0xff};

    @Test
    void recordsAreInTheOrderOfTablesAndOfTheirKeys() {
        List<byte[]> keys = List.of(
                IndexRecord.key(1, LOW),
                IndexRecord.key(1, HIGH),
                IndexRecord.lastKey(1),
                IndexRecord.key(2, new KeySpan(new byte[0], LOW)),
                IndexRecord.key(2, new KeySpan(LOW, new byte[0])),
                IndexRecord.key(0x01000000, LOW));
        assertThat(keys).isSortedAccordingTo(Arrays::compareUnsigned).doesNotHaveDuplicates();
    }

    @Test
    void aKeySaysItsTableAndItsHigh() {
        assertThat(IndexRecord.table(IndexRecord.key(77, HIGH))).isEqualTo(77);
        assertThat(IndexRecord.high(IndexRecord.key(77, HIGH))).isEqualTo(HIGH);
        assertThat(IndexRecord.high(IndexRecord.lastKey(77))).isEmpty();
        assertThat(IndexRecord.isLast(IndexRecord.lastKey(77))).isTrue();
        assertThat(IndexRecord.isLast(IndexRecord.key(77, HIGH))).isFalse();
    }

    /** The index splits where keys differ, which may be in the middle of a table's id. */
    @Test
    void aPartOfAKeyIsAPlaceToGoOnFrom() {
        assertThat(IndexRecord.table(new byte[0])).isZero();
        assertThat(IndexRecord.table(new byte[] {0, 0, 1})).isEqualTo(256);
        assertThat(IndexRecord.high(new byte[] {0, 0, 1})).isEmpty();
        assertThat(IndexRecord.isLast(new byte[] {0, 0, 1, 1})).isFalse();
    }

    @Test
    void aValueSaysWhatWasWritten() {
        IndexRecord record = new IndexRecord(5, LOW, new BrickInfo(3, "b3", 9, "host:7000"));
        assertThat(IndexRecord.of(record.encoded())).isEqualTo(record).hasSameHashCodeAs(record);
        assertThatThrownBy(() -> IndexRecord.of(new byte[] {1, 2, 3})).isInstanceOf(ProtocolViolation.class);
    }
}
