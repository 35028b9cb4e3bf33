package io.sdds.cli.process;

import java.security.Security;
import java.util.List;

/**
 * Settings of the whole JVM, which only a process of SDDS makes: the client library leaves those of its application
 * alone. Settings from outside stay.
 */
public final class JvmSettings {
    private static final String LEAK_LEVEL = "io.netty.leakDetection.level";
    private static final List<String> LEAK_SETTINGS =
            List.of(LEAK_LEVEL, "io.netty.leakDetectionLevel", "io.netty.noResourceLeakDetection");
    private static final String FLIGHT_RECORDER = "io.netty.jfr.enabled";
    private static final String NAME_SECONDS = "1";

    private JvmSettings() {}

    /**
     * Switches off what costs time: wrapping one buffer in 128 to find leaks, and events for the flight recorder.
     * Before the first use of Netty, which reads them once.
     */
    public static void ofNetty() {
        if (LEAK_SETTINGS.stream().allMatch(name -> System.getProperty(name) == null)) {
            System.setProperty(LEAK_LEVEL, "disabled");
        }
        if (System.getProperty(FLIGHT_RECORDER) == null) {
            System.setProperty(FLIGHT_RECORDER, "false");
        }
    }

    /**
     * The JVM remembers host names for 1 s, failures too, because a process that runs for months has to follow a name
     * that moves. Before the first look-up.
     */
    public static void ofNameLookups() {
        Security.setProperty("networkaddress.cache.ttl", NAME_SECONDS);
        Security.setProperty("networkaddress.cache.negative.ttl", NAME_SECONDS);
    }
}
