package io.sdds.client.internal.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.query.lang.ExpressionParser;
import io.sdds.client.internal.query.lang.ProgramBuilder;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.row.Schema;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sample of a range table, as bricks choose it. */
class VersionSampleTest {
    private static final int VERSIONS = 10_000;

    private static Program program(double fraction) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(Schema.NONE));
        int filter =
                builder.addCondition("where", ExpressionParser.expression("where", VersionSample.condition(fraction)));
        return builder.build(
                filter,
                new Output.Aggregate(
                        List.of(), List.of(new Output.Aggregation(Output.AggregateFunction.COUNT_ROWS, -1))));
    }

    private static BitSet sample(double fraction, long first, long step) {
        RowEvaluator evaluator = new RowEvaluator(program(fraction));
        BitSet taken = new BitSet(VERSIONS);
        for (int k = 0; k < VERSIONS; k++) {
            taken.set(k, evaluator.add(new byte[] {1}, new byte[0], first + k * step));
        }
        return taken;
    }

    @Test
    void theSampleHasTheFractionOfTheVersionsWhereverTheyBeginAndHoweverFarTheyAreApart() {
        for (long first : new long[] {0, 1, 1L << 20, (1L << 31) - 7, 1L << 45}) {
            for (long step : new long[] {1, 7, 64}) {
                assertThat((double) sample(0.1, first, step).cardinality() / VERSIONS)
                        .as("from %s by %s", first, step)
                        .isBetween(0.088, 0.112);
            }
        }
    }

    /** Records that were written one after the other may be alike, so one in the sample must not tell of the next. */
    @Test
    void neighboursAreInTheSampleIndependently() {
        BitSet taken = sample(0.2, 1, 1);
        for (int distance = 1; distance <= 32; distance++) {
            int both = 0;
            for (int k = taken.nextSetBit(0); k >= 0; k = taken.nextSetBit(k + 1)) {
                both += taken.get(k + distance) ? 1 : 0;
            }
            assertThat((double) both / VERSIONS).as("distance %s", distance).isBetween(0.032, 0.048);
        }
    }

    @Test
    void theSmallestFractionTakesSome() {
        assertThat(VersionSample.condition(0)).endsWith(" < 1");
        assertThat(sample(1, 1, 1).cardinality()).isEqualTo(VERSIONS);
    }
}
