package io.sdds.cli.config;

import io.sdds.brick.node.BrickSettings;
import io.sdds.brick.shell.BrickConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a brick is set up, as far as it is said: in a file or by flags. What is null is said elsewhere. The keys stand in
 * conf/brick.yaml.
 *
 * @param http port of the health answer; 0: none
 * @param clients that may be connected
 * @param multicast group of IP multicast; empty: none
 */
public record BrickOptions(
        @Nullable String id,
        @Nullable String listen,
        @Nullable String advertise,
        @Nullable List<String> coordinators,
        @Nullable Size memory,
        @Nullable Integer stages,
        @Nullable String dir,
        @Nullable Boolean insecure,
        @Nullable Integer http,
        @Nullable Integer clients,
        @Nullable String multicast) {

    public static final BrickOptions DEFAULTS = new BrickOptions(
            "b1",
            "127.0.0.1:7401",
            "",
            List.of("127.0.0.1:7400"),
            new Size(2L << 30),
            1,
            "",
            false,
            0,
            BrickSettings.CLIENTS_MAX,
            "");

    /** These, and what they leave open from others. */
    public BrickOptions or(BrickOptions others) {
        return new BrickOptions(
                Options.first(id, others.id),
                Options.first(listen, others.listen),
                Options.first(advertise, others.advertise),
                Options.first(coordinators, others.coordinators),
                Options.first(memory, others.memory),
                Options.first(stages, others.stages),
                Options.first(dir, others.dir),
                Options.first(insecure, others.insecure),
                Options.first(http, others.http),
                Options.first(clients, others.clients),
                Options.first(multicast, others.multicast));
    }

    /** Where it keeps its log; null: nowhere. */
    public @Nullable Path directory() {
        return Options.path(dir);
    }

    /**
     * What a process is started with; nothing may be open.
     *
     * @throws IllegalArgumentException naming the setting, its value and what was expected
     */
    public BrickConfig config() {
        HostPort address = HostPort.parse("listen", Options.said(listen));
        Options.checkReachable(address, Options.said(insecure));
        Options.checkPort("http", Options.said(http));
        for (String coordinator : Options.said(coordinators)) {
            HostPort.parse("coordinators", coordinator);
        }
        if (!Options.said(advertise).isEmpty()) {
            HostPort.parse("advertise", Options.said(advertise));
        }
        return new BrickConfig(
                Options.said(id),
                address.host(),
                address.port(),
                Options.said(advertise),
                Options.said(coordinators),
                Options.said(memory).bytes(),
                Options.said(stages),
                Options.said(clients),
                Options.said(multicast));
    }
}
