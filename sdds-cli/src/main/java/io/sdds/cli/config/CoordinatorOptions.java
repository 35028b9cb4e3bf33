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
 * @param peers all coordinators, each as ID=H:P; empty for a single coordinator
 * @param http port of the health endpoint; 0 for none
 */
public record CoordinatorOptions(
        @Nullable String id,
        @Nullable String listen,
        @Nullable String advertise,
        @Nullable List<String> peers,
        @Nullable String dir,
        @Nullable Duration silence,
        @Nullable Duration sessionLease,
        @Nullable Duration electionTimeout,
        @Nullable Boolean insecure,
        @Nullable Integer http) {

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

    /** These settings, with missing settings taken from others. */
    public CoordinatorOptions or(CoordinatorOptions others) {
        return new CoordinatorOptions(
                Options.first(id, others.id),
                Options.first(listen, others.listen),
                Options.first(advertise, others.advertise),
                Options.first(peers, others.peers),
                Options.first(dir, others.dir),
                Options.first(silence, others.silence),
                Options.first(sessionLease, others.sessionLease),
                Options.first(electionTimeout, others.electionTimeout),
                Options.first(insecure, others.insecure),
                Options.first(http, others.http));
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
