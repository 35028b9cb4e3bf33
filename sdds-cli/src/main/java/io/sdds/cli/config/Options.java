package io.sdds.cli.config;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Helpers for the settings of all processes. */
final class Options {
    private static final int PORT_MAX = 65_535;
    private static final Duration TIME_MAX = Duration.ofDays(1);

    private Options() {}

    /** The option of the command line for a component; null for none. */
    static @Nullable String flag(RecordComponent component) {
        Flag flag = component.getAnnotation(Flag.class);
        return flag == null ? null : flag.value();
    }

    static <T> T said(@Nullable T value) {
        return Objects.requireNonNull(value, "a setting without a default");
    }

    static @Nullable Path path(@Nullable String dir) {
        return dir == null || dir.isEmpty()
                ? null
                : Path.of(dir).toAbsolutePath().normalize();
    }

    static void checkPort(String name, int port) {
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException(name + ": '" + port + "' is not a port from 0 to " + PORT_MAX);
        }
    }

    static void checkTime(String name, Duration time, Duration least, String advice) {
        if (time.compareTo(least) < 0 || time.compareTo(TIME_MAX) > 0) {
            throw new IllegalArgumentException(name + ": " + time.toMillis() + "ms is not within " + least.toMillis()
                    + "ms and " + TIME_MAX.toDays() + "d" + advice);
        }
    }

    /** Refuses an address that other machines can reach, because there is no access control yet. */
    static void checkReachable(HostPort listen, boolean insecure) {
        if (!insecure && !listen.isLoopback()) {
            throw new IllegalArgumentException("listen: " + listen
                    + " can be reached from other machines, and there is no access control yet: allow it with"
                    + " --insecure, or listen on 127.0.0.1");
        }
    }
}
