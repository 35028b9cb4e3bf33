package io.sdds.brick.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/** The seed of a random test: printed, and taken from -Dsdds.seed= to replay. */
public final class Seed {
    /** The same for the same sources of this module, other for changed ones; {@code -Dsdds.seed.base=random}: by chance. */
    private static final long BASE = base(System.getProperty("sdds.seed.base"));

    private Seed() {}

    /** A random source for the named test; {@code run} tells the runs of one test apart. */
    public static Random random(String test, int run) {
        Long given = Long.getLong("sdds.seed");
        long seed = given != null ? given : (BASE + test.hashCode()) * 31 + run;
        System.out.println(test + ": -Dsdds.seed=" + seed);
        return new Random(seed);
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
