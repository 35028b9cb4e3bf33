package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RangeBucketTest {

    private static final byte[] VALUE = new byte[84];

    private final RangeFixture fixture = new RangeFixture(256 << 20);
    private final RangeBucket bucket = fixture.bucket;

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    private void insert(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(fixture.put(RangeFixture.key(i), VALUE, i, false)).isEqualTo(PutResult.INSERTED);
        }
    }

    @Test
    void emptyBucketFindsNothingAndHoldsNoMemory() {
        byte[] key = RangeFixture.key(1);
        assertThat(fixture.find(key)).isZero();
        assertThat(fixture.remove(key)).isFalse();
        assertThat(bucket.touchRecord(bucket.touchLeaf(RangeFixture.of(key), 0, 4), RangeFixture.of(key), 0, 4))
                .isZero();
        assertThat(bucket.nearest().first()
                        + bucket.nearest().last()
                        + bucket.splitKeys().median())
                .isZero();
        assertThat(bucket.nearest().ceiling(RangeFixture.of(key), 0, 4)
                        + bucket.nearest().lower(RangeFixture.of(key), 0, 4))
                .isZero();
        assertThat(fixture.visit(new KeyRange(), true, 5)).isEmpty();
        assertThat(bucket.count(new KeyRange())).isZero();
        fixture.dropAbove(key);
        fixture.maintainToTheEnd();
        assertThat(fixture.budget.usedBytes()).isZero();
    }

    @Test
    void findsWhatWasPutWithVersionAndExpiry() {
        fixture.put(RangeFixture.key(1), RangeFixture.bytes("one"), 7, 99, false);
        long ref = fixture.find(RangeFixture.key(1));
        assertThat(fixture.value(RangeFixture.key(1))).isEqualTo(RangeFixture.bytes("one"));
        assertThat(fixture.store.version(ref)).isEqualTo(7);
        assertThat(fixture.store.expiry(ref)).isEqualTo(99);
        assertThat(fixture.find(RangeFixture.key(2))).isZero();
    }

    @Test
    void replacesInPlaceWhenTheSlotIsOfTheRightSize() {
        insert(0, 1000);
        long ref = fixture.find(RangeFixture.key(500));
        assertThat(fixture.put(RangeFixture.key(500), new byte[85], 2, false)).isEqualTo(PutResult.REPLACED);
        assertThat(fixture.find(RangeFixture.key(500))).isEqualTo(ref);
        assertThat(fixture.put(RangeFixture.key(500), new byte[500], 3, 98, false))
                .isEqualTo(PutResult.REPLACED);
        assertThat(fixture.value(RangeFixture.key(500))).hasSize(500);
        assertThat(bucket.records()).isEqualTo(1000);
        fixture.checkAtRest();
    }

    @Test
    void holdsKeysAndValuesAtTheirLimits() {
        List<byte[]> keys = new ArrayList<>();
        for (int length : new int[] {1, 2, 8, 9, 1000, RecordStore.KEY_BYTES_MAX}) {
            for (int fill : new int[] {0, 1, 0xFF}) {
                byte[] key = new byte[length];
                Arrays.fill(key, (byte) fill);
                keys.add(key);
            }
        }
        for (byte[] key : keys) {
            assertThat(fixture.put(key, key, 1, false)).isEqualTo(PutResult.INSERTED);
        }
        fixture.put(keys.getFirst(), new byte[RecordStore.VALUE_BYTES_MAX], 1, false);
        assertThat(fixture.value(keys.getFirst())).hasSize(RecordStore.VALUE_BYTES_MAX);
        keys.sort(Arrays::compareUnsigned);
        assertThat(fixture.visit(new KeyRange(), false, 100))
                .usingElementComparator(Arrays::compareUnsigned)
                .containsExactlyElementsOf(keys);
        fixture.checkAtRest();
    }

    @Test
    void rejectsBadArguments() {
        assertThatThrownBy(() -> fixture.put(new byte[0], VALUE, 1, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture.put(new byte[RecordStore.KEY_BYTES_MAX + 1], VALUE, 1, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture.append(RangeFixture.key(1), VALUE, 1, 49, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("49");
        assertThatThrownBy(() -> bucket.splitKeys().select(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bucket.records()).isZero();
        assertThat(fixture.budget.usedBytes()).isZero();
    }

    @Test
    void reversedBoundsAreAnEmptyRange() {
        insert(0, 1000);
        byte[] low = RangeFixture.key(900);
        byte[] high = RangeFixture.key(100);
        assertThat(fixture.visit(RangeFixture.range(low, true, high, true), false, 10))
                .isEmpty();
        assertThat(bucket.count(RangeFixture.range(low, true, high, true))).isZero();
        assertThat(fixture.visit(RangeFixture.range(low, true, low, false), true, 10))
                .isEmpty();
        assertThat(fixture.visit(RangeFixture.range(low, true, low, true), true, 10))
                .hasSize(1);
    }

    @Test
    void treeGrowsToFourLevelsAndGoesAgain() {
        int records = 120_000;
        for (int i = 0; i < records; i++) {
            int number = (int) (i * 7919L % records);
            fixture.put(RangeFixture.bytes("%08d".formatted(number)), new byte[0], 1, false);
        }
        assertThat(bucket.tree().height()).isBetween(2, 3);
        fixture.checkAtRest();
        for (int i = 0; i < records; i++) {
            assertThat(fixture.remove(RangeFixture.bytes("%08d".formatted(i)))).isTrue();
            if (i % 20_000 == 0) {
                fixture.checkAtRest();
            }
        }
        assertThat(bucket.indexBytes()).isZero();
    }

    @Test
    void headsTellKeysApartBehindALongCommonBeginning() {
        String beginning = "/a/beginning/that/all/keys/have/in/common/and/that/is/much/longer/than/a/head/";
        for (int i = 0; i < 20_000; i++) {
            fixture.put(RangeFixture.bytes(beginning + i * 7919L % 20_000), VALUE, 1, false);
        }
        Tree tree = bucket.tree();
        int equal = 0;
        for (long leaf = tree.descendToFirst(); leaf != 0; leaf = tree.nodes.next(leaf)) {
            for (int i = 1; i < tree.nodes.count(leaf); i++) {
                equal += tree.nodes.head(leaf, i) == tree.nodes.head(leaf, i - 1) ? 1 : 0;
            }
        }
        assertThat(equal).isZero();
        fixture.checkAtRest();
    }

    @Test
    void appendOfALowerKeyIsAPut() {
        insert(0, 500);
        assertThat(fixture.append(RangeFixture.key(250), new byte[3], 9, 90, false))
                .isEqualTo(PutResult.REPLACED);
        assertThat(fixture.append(RangeFixture.bytes("a"), VALUE, 9, 90, false)).isEqualTo(PutResult.INSERTED);
        assertThat(fixture.append(RangeFixture.bytes("z"), VALUE, 9, 90, false)).isEqualTo(PutResult.INSERTED);
        assertThat(fixture.key(bucket.nearest().first())).isEqualTo(RangeFixture.bytes("a"));
        assertThat(fixture.key(bucket.nearest().last())).isEqualTo(RangeFixture.bytes("z"));
        fixture.checkAtRest();
    }

    @Test
    void cutsAtEveryKey() {
        for (int records : new int[] {1, 82, 83, 500, 6000}) {
            for (int kept = 0; kept <= records; kept += 1 + records / 37) {
                RangeFixture cut = fixture.sibling();
                for (int i = 1; i <= records; i++) {
                    cut.append(RangeFixture.key(i), VALUE, 1, 75, false);
                }
                cut.dropAbove(RangeFixture.key(kept));
                cut.check();
                assertThat(cut.bucket.records()).isEqualTo(kept);
                assertThat(cut.visit(new KeyRange(), true, records + 1)).hasSize(kept);
                cut.put(RangeFixture.key(records), VALUE, 2, false);
                cut.check();
                cut.bucket.release();
                cut.maintainToTheEnd();
                assertThat(fixture.store.liveBytes()).isZero();
            }
        }
    }

    @Test
    void cutsAgainBeforeTheFirstPartIsFreed() {
        insert(0, 20_000);
        fixture.dropAbove(RangeFixture.key(14_999));
        bucket.maintain(3);
        fixture.dropAbove(RangeFixture.key(4_999));
        insert(5_000, 6_000);
        fixture.check();
        fixture.maintainToTheEnd();
        fixture.checkAtRest();
        assertThat(bucket.records()).isEqualTo(6_000);
    }

    @Test
    void releaseEmptiesTheBucketAndGivesItsMemoryBackInSteps() {
        insert(0, 10_000);
        bucket.release();
        assertThat(bucket.records()).isZero();
        assertThat(bucket.bytes()).isZero();
        assertThat(fixture.find(RangeFixture.key(1))).isZero();
        assertThat(fixture.store.recordCount()).isEqualTo(10_000);
        assertThat(bucket.maintain(10)).isTrue();
        fixture.maintainToTheEnd();
        assertThat(fixture.budget.usedBytes()).isZero();
        assertThatThrownBy(() -> fixture.put(RangeFixture.key(1), VALUE, 1, true))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> fixture.remove(RangeFixture.key(1))).isInstanceOf(IllegalStateException.class);
    }
}
