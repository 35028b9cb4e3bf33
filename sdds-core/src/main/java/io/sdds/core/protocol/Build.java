package io.sdds.core.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The version and the build of this code. Builds of different sources have different names, also where they carry the
 * same version.
 */
public final class Build {
    private static final String FILE = "build.properties";
    private static final int NAME_DIGITS = 8;
    private static final Properties PROPERTIES = read();

    private Build() {}

    /** The version, such as {@code 0.1.0}; {@code development} for classes that Maven has not built. */
    public static String version() {
        return PROPERTIES.getProperty("version", "development");
    }

    /** The begin of a hash over the sources, 8 hexadecimal digits; zeros for classes that Maven has not built. */
    public static String name() {
        return PROPERTIES.getProperty("build", "0".repeat(NAME_DIGITS)).substring(0, NAME_DIGITS);
    }

    /** Version and build, for hellos and for people: {@code 0.1.0 build 1a2b3c4d}. */
    public static String text() {
        return version() + " build " + name();
    }

    private static Properties read() {
        Properties properties = new Properties();
        try (InputStream in = Build.class.getResourceAsStream(FILE)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
