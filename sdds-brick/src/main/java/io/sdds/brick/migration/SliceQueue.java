package io.sdds.brick.migration;

import io.sdds.brick.stage.StageContext;
import io.sdds.core.node.Env;
import io.sdds.core.stage.Stage;
import org.jspecify.annotations.Nullable;

/** Has the stage run a source in the background for its next slice: once at a time, and not before the pace allows. */
final class SliceQueue {
    private final Env env;
    private final Stage stage;
    private final @Nullable MigrationPace pace;
    private final Stage.Background source;
    private boolean queued;

    /** @param pace null: slices leave as fast as the target takes them */
    SliceQueue(StageContext context, @Nullable MigrationPace pace, Stage.Background source) {
        this.env = context.env();
        this.stage = context.stage();
        this.pace = pace;
        this.source = source;
    }

    /** Has the source run, unless it waits for that already. */
    void queue() {
        if (queued) {
            return;
        }
        queued = true;
        long wait = pace == null ? 0 : pace.waitNanos(env.nowNanos());
        if (wait > 0) {
            env.schedule(wait, () -> stage.background(source));
        } else {
            stage.background(source);
        }
    }

    /** The source runs. */
    void runs() {
        queued = false;
    }

    /** A slice of so many bytes has left. */
    void sent(int bytes) {
        if (pace != null) {
            pace.spend(env.nowNanos(), bytes);
        }
    }
}
