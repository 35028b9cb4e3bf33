package io.sdds.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Seeds of random tests: printed, and replayed with {@code -Dsdds.seed=}. */
public final class Seeds {
    /** The same for the same sources of this module, other for changed ones; {@code -Dsdds.seed.base=random}: by chance. */
    private static final long BASE = base(System.getProperty("sdds.seed.base"));

    private Seeds() {}

    /** A source of randomness whose seed the test's output names. */
    public static SplittableRandom random(String test) {
        Long given = Long.getLong("sdds.seed");
        long seed = given == null ? BASE + test.hashCode() : given;
        System.out.println(test + " runs with -Dsdds.seed=" + seed);
        return new SplittableRandom(seed);
    }

    private static long base(String given) {
        if (given != null) {
            return given.equals("random") ? System.nanoTime() : Long.parseLong(given);
        }
        long base = 0;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                base += 31L * file.toString().hashCode() ^ Arrays.hashCode(Files.readAllBytes(file));
            }
            return base;
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the sources: say -Dsdds.seed.base=random", e);
        }
    }
}
