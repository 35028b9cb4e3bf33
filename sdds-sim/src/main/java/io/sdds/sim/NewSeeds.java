package io.sdds.sim;

import io.sdds.sim.world.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Seeds that nobody has chosen. They are drawn from a base, which is told: a hash over the sources of the modules that
 * a run is made of. So two builds of the same code run the same seeds and agree, and code that was changed meets other
 * ones. {@code -Dsdds.seed.base=random} draws the base by chance, for long searches; {@code -Dsdds.seed.base=N} is the
 * base that some build told.
 */
public final class NewSeeds {
    private static final List<String> MODULES =
            List.of("sdds-core", "sdds-client", "sdds-brick", "sdds-coordinator", "sdds-testkit", "sdds-sim");
    private static final String RANDOM = "random";
    private static final long SEEDS_END = 1L << 40;

    private final SplittableRandom random;

    private NewSeeds(long base, String purpose) {
        this.random = new SplittableRandom(Trace.mix(base, Trace.hashOf(purpose)));
    }

    /** The base of this process, computed at the first call. */
    private static final class Base {
        static final long VALUE = told(chosen(System.getProperty(Switches.SEED_BASE)));

        private static long told(long base) {
            System.out.println("new seeds are drawn with -D" + Switches.SEED_BASE + "=" + base);
            return base;
        }
    }

    /** The seeds for a purpose, always in the same order. */
    public static NewSeeds of(String purpose) {
        return new NewSeeds(Base.VALUE, purpose);
    }

    /** The next one. By any thread. */
    public synchronized long next() {
        return random.nextLong(SEEDS_END);
    }

    /** @param text of the switch, or null */
    static long chosen(@Nullable String text) {
        if (text == null) {
            return ofSources(checkout(Path.of("").toAbsolutePath()));
        }
        if (text.equals(RANDOM)) {
            return new SecureRandom().nextLong(SEEDS_END);
        }
        try {
            return Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "-D" + Switches.SEED_BASE + " must be '" + RANDOM + "' or a whole number, not '" + text + "'", e);
        }
    }

    private static Path checkout(Path from) {
        for (Path at = from; at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(MODULES.get(0)).resolve("src"))) {
                return at;
            }
        }
        throw new IllegalStateException("no sources of " + MODULES.get(0) + " at " + from + " or above it: say -D"
                + Switches.SEED_BASE + "=" + RANDOM);
    }

    /** A hash over the names and contents of all sources below a checkout, the same whatever ends a line there. */
    static long ofSources(Path checkout) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String module : MODULES) {
                Path sources = checkout.resolve(module).resolve("src");
                try (Stream<Path> files = Files.walk(sources)) {
                    List<Path> sorted = files.filter(Files::isRegularFile)
                            .sorted(Comparator.comparing(file -> name(checkout, file)))
                            .toList();
                    for (Path file : sorted) {
                        digest.update(name(checkout, file).getBytes(StandardCharsets.UTF_8));
                        digest.update(withoutReturns(Files.readAllBytes(file)));
                    }
                }
            }
            return ByteBuffer.wrap(digest.digest()).getLong() & SEEDS_END - 1;
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the sources below " + checkout, e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String name(Path checkout, Path file) {
        return checkout.relativize(file).toString().replace('\\', '/');
    }

    private static ByteBuffer withoutReturns(byte[] bytes) {
        ByteBuffer kept = ByteBuffer.allocate(bytes.length);
        for (byte each : bytes) {
            if (each != '\r') {
                kept.put(each);
            }
        }
        return kept.flip();
    }
}
