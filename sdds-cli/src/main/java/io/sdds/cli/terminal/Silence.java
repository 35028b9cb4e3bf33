package io.sdds.cli.terminal;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;

/**
 * No log, for commands that are over at once: what goes wrong is told by their one line of error, and setting up a
 * logging library takes longer than they do.
 */
public final class Silence {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    private static final String NONE = "org.slf4j.helpers.NOP_FallbackServiceProvider";

    private Silence() {}

    /** To be called before the first logger is there. */
    @SuppressWarnings("deprecation") // its successor looks for other logging libraries when the first one is silent
    public static void keep() {
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, NONE);
            System.setProperty(VERBOSITY, "WARN");
            InternalLoggerFactory.setDefaultFactory(new Slf4JLoggerFactory());
        }
    }
}
