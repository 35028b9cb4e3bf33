package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A range bucket against a sorted map whose entries expire, under random use and a virtual clock. */
class RangeExpiryPropertyTest {
    private static final int OPERATIONS = 20_000;
    private static final int LONGEST = 2000;
    private static final byte[] VALUE = RangeFixture.bytes("value");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void behavesLikeASortedMapWhoseEntriesExpire(int run) {
        Random random = new Random(Seeds.next("RangeExpiryPropertyTest.behavesLikeASortedMapWhoseEntriesExpire", run));
        try (RangeFixture fixture = new RangeFixture(256 << 20)) {
            new Run(fixture, random).operate();
        }
    }

    private static final class Run {
        private final RangeFixture fixture;
        private final Random random;
        private final TreeMap<Integer, Long> expiries = new TreeMap<>();
        private final int keys;
        private final int expiringPercent;
        private long time;

        Run(RangeFixture fixture, Random random) {
            this.fixture = fixture;
            this.random = random;
            this.keys = 100 << random.nextInt(7);
            this.expiringPercent = random.nextInt(1, 101);
        }

        void operate() {
            for (int i = 0; i < OPERATIONS; i++) {
                operateOnce(random.nextInt(keys));
                if (i % 2500 == 0) {
                    assertSeen();
                }
            }
            comeToRest();
        }

        private void operateOnce(int number) {
            byte[] key = RangeFixture.key(number);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> put(number, key);
                case 3 -> {
                    assertThat(fixture.remove(key)).as("remove %s", number).isEqualTo(isThere(number));
                    expiries.remove(number);
                }
                case 4 -> {
                    time += random.nextInt(20);
                    fixture.bucket.timeNanos(time);
                }
                case 5 -> fixture.bucket.sweep(random.nextInt(4));
                default ->
                    assertThat(fixture.find(key) != 0).as("get %s", number).isEqualTo(isThere(number));
            }
        }

        private void put(int number, byte[] key) {
            boolean expires = random.nextInt(100) < expiringPercent;
            long expiry = expires ? time + 1 + random.nextInt(LONGEST) : RecordStore.NO_EXPIRY;
            assertThat(fixture.put(key, VALUE, 1, expiry, false)).isNotEqualTo(PutResult.FULL);
            expiries.put(number, expiry);
        }

        private boolean isThere(int number) {
            Long expiry = expiries.get(number);
            return expiry != null && (expiry == RecordStore.NO_EXPIRY || expiry > time);
        }

        private List<Integer> there() {
            return expiries.keySet().stream().filter(this::isThere).toList();
        }

        private void assertSeen() {
            List<Integer> seen = new ArrayList<>();
            fixture.bucket.ascend(new KeyRange(), ref -> seen.add(number(ref)));
            assertThat(seen).isEqualTo(there());
            List<Integer> seenBackwards = new ArrayList<>();
            fixture.bucket.descend(new KeyRange(), ref -> seenBackwards.add(number(ref)));
            assertThat(seenBackwards).isEqualTo(there().reversed());
        }

        private int number(long ref) {
            String text = new String(fixture.key(ref), java.nio.charset.StandardCharsets.US_ASCII);
            return Integer.parseInt(text.substring(4));
        }

        /** A sweep to its end leaves exactly the records that have not expired. */
        private void comeToRest() {
            sweepToTheEnd();
            if (there().stream().anyMatch(number -> expiries.get(number) != RecordStore.NO_EXPIRY)) {
                assertThat(fixture.bucket.mayExpire())
                        .isTrue(); // a record that was removed before its expiry may still count
            }
            assertSeen();
            for (Map.Entry<Integer, Long> entry : expiries.entrySet()) {
                assertThat(fixture.find(RangeFixture.key(entry.getKey())) != 0).isEqualTo(isThere(entry.getKey()));
            }
            time += LONGEST;
            fixture.bucket.timeNanos(time);
            sweepToTheEnd();
            assertThat(fixture.bucket.mayExpire()).isFalse();
            assertSeen();
        }

        private void sweepToTheEnd() {
            for (int i = 0; i < 2 && fixture.bucket.mayHoldExpired(); ) {
                fixture.bucket.sweep(1000);
                i++;
            }
            assertThat(fixture.bucket.mayHoldExpired()).isFalse();
            assertThat(fixture.bucket.records()).isEqualTo(there().size());
        }
    }
}
