package io.sdds.sql.run;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose keys are known without a look at rows, so that a batch can have many runs of the statement
 * under way.
 */
public interface BatchWrite {
    /** Begins the writes of one run, up to the first that fails. */
    void begin(IntFunction<@Nullable Object> parameters, PendingWrites writes);

    /** Whether bricks get the values of parameters inside of a program, which has little room. */
    boolean shipsInPrograms();
}
