package io.sdds.cli.terminal;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;

/**
 * Switches logging off for short commands, because the start of a logging library takes longer than a short command.
 * Short commands report failures in one line.
 */
public final class Silence {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    private static final String NONE = "org.slf4j.helpers.NOP_FallbackServiceProvider";

    private Silence() {}

    /** Switches logging off. Must be called before the first logger is created. */
    @SuppressWarnings("deprecation") // the replacement of this method searches other logging libraries
    public static void keep() {
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, NONE);
            System.setProperty(VERBOSITY, "WARN");
            InternalLoggerFactory.setDefaultFactory(new Slf4JLoggerFactory());
        }
    }
}
