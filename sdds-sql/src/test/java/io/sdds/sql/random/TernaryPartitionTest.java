package io.sdds.sql.random;

import static io.sdds.sql.random.Part.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.sql.random.Answer.Failure;
import io.sdds.sql.random.Answer.Rows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * SDDS is its own judge: each row of a query meets a condition, its negation, or neither, because the condition is NULL
 * (ternary logic partitioning). Hash and range tables, with and without pushdown, answer the four queries.
 */
@Order(1)
class TernaryPartitionTest {
    private static final int SOAK_QUERIES = 2_000;

    /** A build has the recorded statements of {@link RandomSqlTest} beside these. */
    private static final int QUERIES = System.getProperty("sdds.soak") == null ? 60 : SOAK_QUERIES;

    private static final Rows NOTHING = new Rows(-1, List.of());

    @Test
    void rowsMeetAConditionOrItsNegationOrNeither() throws SQLException {
        long first = Seeds.next("TernaryPartitionTest");
        Generator generator = new Generator(Tables.of(first));
        Findings findings = new Findings();
        try (Comparison comparison = new Comparison(generator.tables())) {
            for (long seed = first; seed < first + QUERIES; seed++) {
                Queries.Partition partition = generator.partition(seed);
                Answer whole = answer(partition.query(), comparison, seed);
                Answer parts = parts(partition, comparison, seed);
                findings.add(verdict(whole, parts), seed, statement(text(partition, "", "")), whole, parts);
            }
        }
        System.out.println(findings);
        assertThat(findings.faults())
                .as("faults; the output has an example of each kind")
                .isZero();
        assertThat(findings.count(Verdict.REFUSED) * 20)
                .as("refused queries, twenty times")
                .isLessThan(findings.judged());
    }

    private static Verdict verdict(Answer whole, Answer parts) {
        return whole instanceof Failure ? Verdict.of(NOTHING, whole, false) : Verdict.of(whole, parts, false);
    }

    private static Answer parts(Queries.Partition of, Comparison comparison, long seed) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        List<Part.Node> parts = List.of(text(of, "", ""), text(of, "NOT ", ""), text(of, "", " IS NULL"));
        for (int k = 0; k < parts.size(); k++) {
            Answer answer = answer(parts.get(k), comparison, seed + k + 1);
            if (answer instanceof Failure) {
                return answer;
            }
            rows.addAll(((Rows) answer).values());
        }
        return new Rows(-1, rows);
    }

    private static Part.Node text(Queries.Partition of, String before, String behind) {
        return node(null, of.query(), " WHERE " + before + "(", of.condition(), ")" + behind);
    }

    private static Answer answer(Part.Node query, Comparison comparison, long form) throws SQLException {
        return comparison.form(form).answer(statement(query));
    }

    private static Statement statement(Part.Node query) {
        return Statement.of(query, false, null);
    }
}
