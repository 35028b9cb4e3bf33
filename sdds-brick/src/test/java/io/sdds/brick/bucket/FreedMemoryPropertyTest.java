package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buckets of a stage that fill its memory, lose and get records while it is full, and then lose two fifths of them. */
class FreedMemoryPropertyTest {

    private static final String SEED = "FreedMemoryPropertyTest.aFullBrickAdmitsPutsAgain";
    private static final long MEMORY_BYTES = 8 << 20;
    private static final int VALUE_BYTES_MAX = 2000;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(400));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aFullBrickAdmitsPutsAgainWhenTwoFifthsOfItsRecordsAreGone(int run) {
        Random random = new Random(Seeds.next(SEED, run));
        try (BucketFixture first = new BucketFixture(MEMORY_BYTES)) {
            Buckets buckets = new Buckets(first, random);
            buckets.fill();
            for (int more = random.nextInt(4); more > 0; more--) {
                buckets.remove(random.nextDouble() / 2);
                buckets.fill();
            }
            buckets.remove(0.4);
            buckets.maintainToTheEnd();
            assertThat(first.budget.admitsOrdinary(VALUE_BYTES_MAX))
                    .as("%d bytes live, %d used", first.store.liveBytes(), first.budget.usedBytes())
                    .isTrue();
        }
    }

    private record Record(BucketFixture owner, byte[] key) {}

    private static final class Buckets {
        private final Random random;
        private final List<BucketFixture> buckets = new ArrayList<>();
        private final List<Record> records = new ArrayList<>();
        private final boolean removesAtRandom;
        private final boolean haveOneSize;
        private final int stepsAtOnce;
        private final int changesPerStep;
        private int keys;

        Buckets(BucketFixture first, Random random) {
            this.random = random;
            removesAtRandom = random.nextBoolean();
            haveOneSize = random.nextBoolean();
            stepsAtOnce = 1 << random.nextInt(9);
            changesPerStep = 1 << random.nextInt(11);
            buckets.add(first);
            for (int more = random.nextInt(6); more > 0; more--) {
                buckets.add(first.sibling());
            }
        }

        /** Puts while puts are admitted; those that are admitted may use all memory, as committed writes do. */
        void fill() {
            while (buckets.get(0).budget.admitsOrdinary(VALUE_BYTES_MAX)) {
                BucketFixture owner = any();
                byte[] key = ("k" + keys++).getBytes(StandardCharsets.US_ASCII);
                byte[] value = new byte[haveOneSize ? 1000 : random.nextInt(VALUE_BYTES_MAX)];
                assertThat(owner.put(key, value, 1, true)).isEqualTo(PutResult.INSERTED);
                records.add(new Record(owner, key));
                maintain();
            }
        }

        void remove(double part) {
            if (removesAtRandom) {
                Collections.shuffle(records, random);
            }
            List<Record> gone = records.subList(0, (int) (part * records.size()));
            for (Record each : gone) {
                each.owner().remove(each.key());
                maintain();
            }
            gone.clear();
        }

        private BucketFixture any() {
            return buckets.get(random.nextInt(buckets.size()));
        }

        private void maintain() {
            if (random.nextInt(changesPerStep) == 0) {
                any().bucket.maintain(stepsAtOnce);
            }
        }

        void maintainToTheEnd() {
            boolean more = true;
            while (more) {
                more = false;
                for (BucketFixture owner : buckets) {
                    more |= owner.bucket.maintain(100);
                }
            }
        }
    }
}
