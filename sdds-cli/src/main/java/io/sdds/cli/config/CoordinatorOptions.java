package io.sdds.cli.config;

import io.sdds.coordinator.shell.CoordinatorConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a coordinator from one source, a file or flags. A null component is not set by this source. The keys are
 * listed in conf/coordinator.yaml.
 *
 * @param peers empty for a single coordinator
 * @param http 0 for no health endpoint
 */
public record CoordinatorOptions(
        @Flag("--id ID: Set the name of the coordinator. Default: c1.") @Nullable
        String id,

        @Flag("--listen H:P: Set the address to listen on. Default: 127.0.0.1:7400.") @Nullable
        String listen,

        @Flag("--advertise H:P: Set the address that other processes dial. Default: --listen.") @Nullable
        String advertise,

        @Flag("--peers ID=H:P: List all three coordinators of the cluster, this one included. Default: a single"
                + " coordinator.")
        @Nullable
        List<String> peers,

        @Flag("--dir DIR: Keep the state in DIR, and the log in DIR/log.") @Nullable
        String dir,

        @Nullable Duration silence,
        @Nullable Duration sessionLease,
        @Nullable Duration electionTimeout,

        @Flag("--insecure: Allow addresses that other machines can reach. There is no access control yet.") @Nullable
        Boolean insecure,

        @Flag("--http PORT: Answer /health/live and /health/ready over HTTP.") @Nullable
        Integer http) {

    public static final CoordinatorOptions DEFAULTS = new CoordinatorOptions(
            CoordinatorConfig.DEFAULT_ID,
            CoordinatorConfig.DEFAULT_LISTEN,
            "",
            List.of(),
            "",
            CoordinatorConfig.DEFAULT_SILENCE,
            CoordinatorConfig.DEFAULT_SESSION_LEASE,
            CoordinatorConfig.DEFAULT_ELECTION_TIMEOUT,
            false,
            0);

    /** Settings without any component. */
    private static final CoordinatorOptions NOTHING =
            new CoordinatorOptions(null, null, null, null, null, null, null, null, null, null);

    /** The flags of the command line. */
    public static RecordOptions<CoordinatorOptions> flags() {
        return new RecordOptions<>(NOTHING, Options::flag);
    }

    /** These settings, with missing settings taken from others. */
    public CoordinatorOptions or(CoordinatorOptions others) {
        return RecordOptions.merged(this, others);
    }

    /** Directory of the state and the log. */
    public Path directory() {
        Path directory = Options.path(dir);
        if (directory == null) {
            throw new IllegalArgumentException(
                    "dir: name the directory where the coordinator keeps its state, with --dir");
        }
        return directory;
    }

    /**
     * The configuration of a process. All settings must be set.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the setting, the value and the expected
     *     values
     */
    public CoordinatorConfig config() {
        HostPort address = HostPort.parse("listen", Options.said(listen));
        Options.checkReachable(address, Options.said(insecure));
        Options.checkPort("http", Options.said(http));
        Options.checkTime(
                "silence",
                Options.said(silence),
                CoordinatorConfig.SILENCE_MIN,
                ": " + CoordinatorConfig.SILENCE_ADVICE);
        Options.checkTime("session-lease", Options.said(sessionLease), Duration.ofMillis(100), "");
        Options.checkTime("election-timeout", Options.said(electionTimeout), Duration.ofMillis(50), "");
        return new CoordinatorConfig(
                Options.said(id),
                Options.said(listen),
                Options.said(advertise),
                members(),
                directory(),
                Options.said(silence),
                Options.said(sessionLease),
                Options.said(electionTimeout),
                Options.said(insecure),
                0);
    }

    private List<CoordinatorConfig.Peer> members() {
        try {
            return Options.said(peers).stream()
                    .map(CoordinatorConfig.Peer::parse)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("peers: " + e.getMessage(), e);
        }
    }
}
