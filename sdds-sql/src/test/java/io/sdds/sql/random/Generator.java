package io.sdds.sql.random;

import io.sdds.sql.random.Part.Node;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Statements by the numbers of their seeds: one seed is always the same statement of the same tables. */
record Generator(Tables tables) {
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
        Queries queries = new Queries(random, tables, random.nextInt(3) == 0);
        if (random.nextInt(40) == 0) {
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

    /** A query and a condition, for the partition of the query's rows by the condition. */
    Queries.Partition partition(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new Queries(random, tables, false).partition();
    }
}
