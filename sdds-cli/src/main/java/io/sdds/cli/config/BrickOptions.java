package io.sdds.cli.config;

import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.node.BrickSettings;
import io.sdds.brick.shell.BrickConfig;
import io.sdds.core.model.BrickWeight;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a brick from one source, a file or flags. A null component is not set by this source. The keys are listed
 * in conf/brick.yaml.
 *
 * @param http port of the health endpoint; 0 for none
 * @param clients limit of connected clients
 * @param multicast IP multicast group; empty for none
 * @param erasureKernel name of the kernel that computes parity, or {@code auto}; only in the file
 * @param weight the capacity weight
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
        @Nullable String multicast,
        @Nullable String erasureKernel,
        @Nullable Double weight) {

    private static final String FASTEST_KERNEL = "auto";

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
            "",
            FASTEST_KERNEL,
            1.0);

    /** These settings, with missing settings taken from others. */
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
                Options.first(multicast, others.multicast),
                Options.first(erasureKernel, others.erasureKernel),
                Options.first(weight, others.weight));
    }

    /** Directory of the log; null for none. */
    public @Nullable Path directory() {
        return Options.path(dir);
    }

    /**
     * The configuration of a process. All settings must be set.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the setting, the value and the expected
     *     values
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
                Options.said(multicast),
                kernel(Options.said(erasureKernel)),
                BrickWeight.hundredths(Options.said(weight)));
    }

    private static @Nullable KernelType kernel(String name) {
        if (name.equals(FASTEST_KERNEL)) {
            return null;
        }
        for (KernelType type : KernelType.values()) {
            if (type.toString().equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "erasure-kernel: '" + name + "' is not " + FASTEST_KERNEL + ", isal, vector or reed-solomon");
    }
}
