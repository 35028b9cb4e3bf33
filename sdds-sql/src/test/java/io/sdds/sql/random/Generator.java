package io.sdds.sql.random;

import io.sdds.sql.random.Part.Node;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Statements by the numbers of their seeds: one seed is always the same statement of the same tables. */
record Generator(Tables tables) {
    private static final int PARAMETERS_EVERY = 3;
    private static final int FAILING_EVERY = 40;
    private static final int EXTREMES_EVERY = 10;

    /** A statement's tree with what is known of its result. */
    record Drawn(Node tree, boolean isOrdered, @Nullable String changed) {
        Statement statement() {
            return Statement.of(tree, isOrdered, changed);
        }

        Drawn with(Node other) {
            return new Drawn(other, isOrdered, changed);
        }
    }

    Drawn draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Queries queries = new Queries(random, tables, random.nextInt(PARAMETERS_EVERY) == 0);
        boolean isFailing = random.nextInt(FAILING_EVERY) == 0;
        if (random.nextInt(EXTREMES_EVERY) == 0) {
            queries.expressions().drawExtremes();
        }
        if (isFailing) {
            return new Drawn(new Failing(random, tables).draw(), false, null);
        }
        if (random.nextInt(8) == 0) {
            Changes changes = new Changes(random, tables, queries);
            return new Drawn(changes.draw(), false, changes.table());
        }
        List<SqlType> types = queries.types();
        boolean isOrdered = random.nextInt(3) == 0;
        return new Drawn(queries.whole(types, isOrdered), isOrdered, null);
    }

    /**
     * Whether a statement of a seed may have numbers at the edge of their types. Then one database may meet a number
     * out of range in a part that the other one does not evaluate.
     */
    static boolean hasExtremes(long seed, Statement statement) {
        SplittableRandom random = new SplittableRandom(seed);
        random.nextInt(PARAMETERS_EVERY);
        boolean isFailing = random.nextInt(FAILING_EVERY) == 0;
        boolean isDrawn = random.nextInt(EXTREMES_EVERY) == 0;
        return !isFailing && (isDrawn || Tables.EXTREMES.stream().anyMatch(statement.text()::contains));
    }

    /** A query and a condition, for the partition of the query's rows by the condition. */
    Queries.Partition partition(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new Queries(random, tables, false).partition();
    }
}
