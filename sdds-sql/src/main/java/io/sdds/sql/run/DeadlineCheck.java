package io.sdds.sql.run;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;

/** Rows that end with their statement. Code that the engine generates calls this class, so that it is public. */
public final class DeadlineCheck {
    private DeadlineCheck() {}

    /** The same rows, with a check before each. */
    public static <T> Enumerable<T> checked(Enumerable<T> rows, DataContext context) {
        Deadline deadline = Deadline.of(context);
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<T> enumerator() {
                return new Checked<>(rows.enumerator(), deadline);
            }
        };
    }

    private record Checked<T>(Enumerator<T> rows, Deadline deadline) implements Enumerator<T> {
        @Override
        public T current() {
            return rows.current();
        }

        @Override
        public boolean moveNext() {
            deadline.check();
            return rows.moveNext();
        }

        @Override
        public void reset() {
            rows.reset();
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
