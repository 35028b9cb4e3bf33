package io.sdds.bench.queries;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Report;
import java.util.List;

/**
 * The measured costs of the parts of a plan.
 *
 * @param costs the parts, the row that comes to the client first
 * @param statements the statements whose times give the costs
 */
public record PlanCosts(
        PlanCostSettings settings, Machine machine, String site, List<Cost> costs, List<Statement> statements)
        implements BenchResult {
    public PlanCosts {
        costs = List.copyOf(costs);
        statements = List.copyOf(statements);
    }

    /**
     * A part of a plan.
     *
     * @param rows of a row that comes to the client: how many times its time
     */
    public record Cost(String part, double micros, double rows) {}

    /**
     * A statement.
     *
     * @param millis median of the rounds
     */
    public record Statement(String sql, double millis) {}

    /** The result as text: a line for each part and each statement. */
    @Override
    public String text(String command) {
        Report text = new Report(command, machine);
        text.add("%-12s %s%n%n", "cluster", site);
        text.add("%-56s %10s %8s%n", "part of a plan", "µs", "rows");
        for (Cost cost : costs) {
            text.add("%-56s %,10.3f %,8.2f%n", cost.part(), cost.micros(), cost.rows());
        }
        text.add(
                "rows: over a row that comes to the client; medians of %d rounds of these statements:%n",
                settings.rounds());
        for (Statement statement : statements) {
            text.add("%,10.2f ms  %s%n", statement.millis(), statement.sql());
        }
        return text.toString();
    }
}
