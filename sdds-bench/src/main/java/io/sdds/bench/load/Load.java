package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a load: preload, measurement and result. */
final class Load {
    private Load() {}

    static LoadResult run(
            LoadSettings settings,
            LoadTarget target,
            LoadProgress.Listener listener,
            Function<Run, Generator> generators)
            throws InterruptedException {
        Dataset data = new Dataset(settings.keys(), settings.valueBytes(), settings.seed());
        Run.Mix mix = Run.Mix.of(settings.mode(), settings.keys());
        try (HistoryLog history = history(settings.history())) {
            Run run = new Run(target, data, mix, history);
            if (target.keepsRecords()) {
                Preload.run(run, settings.keys(), listener);
            }
            return new Measurement(run, settings, listener).of(generators.apply(run));
        }
    }

    private static @Nullable HistoryLog history(@Nullable Path file) {
        if (file == null) {
            return null;
        }
        HistoryLog history = new HistoryLog(file);
        history.start();
        return history;
    }
}
