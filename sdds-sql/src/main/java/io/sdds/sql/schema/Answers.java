package io.sdds.sql.schema;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Answers of the client that several threads may wait for. An interrupt ends the wait of its thread alone. */
public final class Answers {
    private Answers() {}

    /** The answer of a request, which ends by the timeout of the client. */
    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatementEnd("the thread was interrupted", SqlErrors.CANCELLED);
        } catch (ExecutionException e) {
            throw asRuntime(e.getCause());
        }
    }

    private static RuntimeException asRuntime(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
}
