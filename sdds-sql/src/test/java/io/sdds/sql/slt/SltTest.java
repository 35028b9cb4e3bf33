package io.sdds.sql.slt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Scripts of sqllogictest: each query gives what the script expects, with and without pushdown, unless PostgreSQL would
 * refuse the query as we do.
 */
@Order(1)
class SltTest {
    /** What the sample of a build draws, unless {@code -Dsdds.seed} names another seed. */
    private static final long SAMPLE_SEED = 21;

    private static final int SAMPLE_STATEMENTS = 300;
    private static final long SAMPLE_NANOS = 60_000_000_000L;
    private static final int QUERIES_OF_A_SCRIPT = 60;
    private static final int SOAK_STATEMENTS = 100_000;

    /** Scripts with more statements spend the time of the short sample on their rows. */
    private static final long SAMPLE_COMMANDS_MAX = 300;

    @Test
    void aSampleOfTheScriptsGivesWhatTheyExpect() throws SQLException, IOException {
        SplittableRandom random = new SplittableRandom(Long.getLong("sdds.seed", SAMPLE_SEED));
        SltReport report = new SltReport("sample");
        long end = System.nanoTime() + SAMPLE_NANOS;
        try (SltRun run = new SltRun(report)) {
            while (report.ran() < SAMPLE_STATEMENTS && System.nanoTime() < end) {
                String script = drawn(random);
                List<SltScript.Step> steps = SltScript.steps(script);
                if (commands(steps) <= SAMPLE_COMMANDS_MAX) {
                    runSome(run, script, steps, random, end);
                }
            }
        } finally {
            report.write();
        }
        assertThat(report.failures()).isEmpty();
        assertThat(report.ran()).as("statements that ran").isPositive();
    }

    @Test
    @EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
    void theFiveSelectScriptsPassWhole() throws SQLException, IOException {
        SltReport report = new SltReport("select1 to select5");
        try (SltRun run = new SltRun(report)) {
            for (int k = 1; k <= 5; k++) {
                String script = "select" + k + ".test";
                run.run(script, SltScript.steps(script), query -> true);
                report.save();
            }
        } finally {
            report.write();
        }
        assertThat(report.failures()).isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
    void aLargeSampleOfTheScriptsGivesWhatTheyExpect() throws SQLException, IOException {
        SplittableRandom random = Seeds.random("SltTest.soak");
        SltReport report = new SltReport("soak");
        try (SltRun run = new SltRun(report)) {
            while (report.ran() < Integer.getInteger("sdds.slt.statements", SOAK_STATEMENTS)) {
                String script = drawn(random);
                runSome(run, script, SltScript.steps(script), random, Long.MAX_VALUE);
                report.save();
            }
        } finally {
            report.write();
        }
        assertThat(report.failures()).isEmpty();
    }

    private static String drawn(SplittableRandom random) {
        List<String> others = new ArrayList<>(SltScript.names());
        others.removeIf(name -> name.startsWith("select"));
        return others.get(random.nextInt(others.size()));
    }

    private static long commands(List<SltScript.Step> steps) {
        return steps.stream().filter(step -> step instanceof SltScript.Command).count();
    }

    private static void runSome(
            SltRun run, String script, List<SltScript.Step> steps, SplittableRandom random, long endNanos)
            throws SQLException {
        long queries = steps.size() - commands(steps);
        run.run(
                script,
                steps,
                query -> System.nanoTime() < endNanos && random.nextLong(Math.max(1, queries)) < QUERIES_OF_A_SCRIPT);
    }
}
