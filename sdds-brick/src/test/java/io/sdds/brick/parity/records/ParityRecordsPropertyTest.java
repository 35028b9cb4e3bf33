package io.sdds.brick.parity.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.parity.records.ParityFixture.Change;
import io.sdds.brick.parity.records.ParityFixture.Column;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parity records with number 0 to 3 against columns in maps, under random use. */
class ParityRecordsPropertyTest {

    private static final int OPERATIONS = 2500;
    private static final int CHECK_EVERY = 500;
    private static final int VALUE_BYTES_MAX = 5000;
    private static final int PREPARED_MAX = 100;

    @ParameterizedTest
    @CsvSource({"2, 0", "4, 1", "8, 2", "16, 3", "4, 4", "2, 5"})
    void fieldsAreTheSumsOfTheColumns(int columns, int run) {
        long seed = Seeds.next("ParityRecordsPropertyTest.fieldsAreTheSumsOfTheColumns", run);
        Random random = new Random(seed);
        long limitBytes = run >= 4 ? 2 << 20 : 64 << 20;
        try (ParityFixture fixture = new ParityFixture(limitBytes, columns)) {
            new Run(fixture, random, "seed " + seed).operate();
        }
    }

    private static final class Run {
        private final ParityFixture fixture;
        private final Random random;
        private final String context;
        private final int ranks;
        private final int usualBytes;
        private long version;

        Run(ParityFixture fixture, Random random, String context) {
            this.fixture = fixture;
            this.random = random;
            this.context = context;
            this.ranks = 10 << random.nextInt(7);
            this.usualBytes = random.nextInt(300);
        }

        void operate() {
            for (int i = 1; i <= OPERATIONS; i++) {
                operateOnce();
                if (i % CHECK_EVERY == 0) {
                    fixture.check(context);
                }
            }
            fixture.columns.forEach(Column::commitAll);
            fixture.check(context);
            fixture.checkMemoryAtRest();
            removeAll();
            fixture.check(context);
            fixture.parities.forEach(ParityRecords::releaseSpares);
            assertThat(fixture.slots.liveBytes()).as(context).isZero();
            fixture.releaseAndCheck();
        }

        private void operateOnce() {
            Column column = fixture.columns.get(random.nextInt(fixture.columns.size()));
            switch (random.nextInt(20)) {
                case 0 -> column.cut(random.nextInt(column.log.size() + 1));
                case 1 -> fixture.maintain(random.nextInt(5));
                case 2 -> column.commitAll();
                case 3, 4, 5, 6, 7, 8 -> commitOne(column);
                default -> prepare(column);
            }
        }

        private static void commitOne(Column column) {
            if (!column.log.isEmpty()) {
                column.commit();
            }
        }

        private void prepare(Column column) {
            if (column.log.size() == PREPARED_MAX) {
                column.commitAll();
            }
            int wanted = random.nextInt(10) == 0 ? 1 + random.nextInt(8) : 1;
            Map<Integer, Change> changes = new LinkedHashMap<>();
            for (int i = 0; i < wanted; i++) {
                int rank = random.nextInt(ranks);
                changes.put(rank, column.change(rank, after(column, rank)));
            }
            column.prepare(new ArrayList<>(changes.values()), random.nextBoolean());
        }

        private ParityCheck.@Nullable Coded after(Column column, int rank) {
            if (column.prepared.containsKey(rank) && random.nextInt(3) == 0) {
                return null;
            }
            byte[] value = new byte[random.nextInt(3) == 0 ? random.nextInt(VALUE_BYTES_MAX + 1) : usualBytes];
            if (random.nextBoolean()) {
                random.nextBytes(value);
            }
            return ParityFixture.coded(random.nextLong(), value, ++version);
        }

        /** A removal needs a slot until it is folded, so full memory refuses some until others have freed memory. */
        private void removeAll() {
            boolean refused = true;
            while (refused) {
                refused = false;
                boolean removed = false;
                for (Column column : fixture.columns) {
                    for (int rank : new ArrayList<>(column.committed.keySet())) {
                        boolean done = column.prepare(List.of(column.change(rank, null)), true);
                        column.commitAll();
                        removed |= done;
                        refused |= !done;
                    }
                }
                assertThat(removed || !refused).as(context).isTrue();
            }
        }
    }
}
