package io.sdds.cli.process;

import java.security.Security;
import java.util.List;

/**
 * Settings of the whole JVM. Only the processes of SDDS change such settings; the client library never changes settings
 * of its application. Settings that the user has made take precedence.
 */
public final class JvmSettings {
    private static final String LEAK_LEVEL = "io.netty.leakDetection.level";
    private static final List<String> LEAK_SETTINGS =
            List.of(LEAK_LEVEL, "io.netty.leakDetectionLevel", "io.netty.noResourceLeakDetection");
    private static final String FLIGHT_RECORDER = "io.netty.jfr.enabled";
    private static final String NAME_SECONDS = "1";

    private JvmSettings() {}

    /**
     * Switches off features of Netty that cost time: leak detection, which wraps one buffer in 128, and events for the
     * flight recorder. Must be called before the first use of Netty, because Netty reads the settings once.
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
     * Limits the cache of host names, including failed look-ups, to 1 s, because a process that runs for months has to
     * follow a name that changes its address. Must be called before the first look-up.
     */
    public static void ofNameLookups() {
        Security.setProperty("networkaddress.cache.ttl", NAME_SECONDS);
        Security.setProperty("networkaddress.cache.negative.ttl", NAME_SECONDS);
    }
}
