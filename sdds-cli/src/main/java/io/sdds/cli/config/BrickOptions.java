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
 * @param http 0 for no health endpoint
 * @param erasureKernel name of the kernel that computes parity, or {@code auto}; only in the file
 */
public record BrickOptions(
        @Flag("--id ID: Set the name of the brick. Default: b1.") @Nullable
        String id,

        @Flag("--listen H:P: Set the address to listen on. Default: 127.0.0.1:7401.") @Nullable
        String listen,

        @Flag("--advertise H:P: Set the address that other processes dial. Default: --listen.") @Nullable
        String advertise,

        @Flag("--coordinators H:P: Set the addresses of the coordinators. Default: 127.0.0.1:7400.") @Nullable
        List<String> coordinators,

        @Flag("--memory SIZE: Limit the memory for records. Default: 2g.") @Nullable
        Size memory,

        @Flag("--stages N: Set the number of threads that own partitions. Default: 1.") @Nullable
        Integer stages,

        @Flag("--dir DIR: Write the log to DIR/log. Default: to stderr.") @Nullable
        String dir,

        @Flag("--insecure: Allow addresses that other machines can reach. There is no access control yet.") @Nullable
        Boolean insecure,

        @Flag("--http PORT: Answer /health/live and /health/ready over HTTP.") @Nullable
        Integer http,

        @Flag("--clients N: Limit the number of connected clients. Default: 4096.") @Nullable
        Integer clients,

        @Flag("--multicast GROUP:PORT: Listen to an IP multicast group, GROUP:PORT or GROUP:PORT@INTERFACE. Default:"
                + " none.")
        @Nullable
        String multicast,

        @Nullable String erasureKernel,

        @Flag("--weight W: Set the share of the load relative to other bricks, from 0.1 to 100. Default: 1.") @Nullable
        Double weight) {

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

    /** Settings without any component. */
    private static final BrickOptions NOTHING =
            new BrickOptions(null, null, null, null, null, null, null, null, null, null, null, null, null);

    /** The flags of the command line. */
    public static RecordOptions<BrickOptions> flags() {
        return new RecordOptions<>(NOTHING, Options::flag);
    }

    /** These settings, with missing settings taken from others. */
    public BrickOptions or(BrickOptions others) {
        return RecordOptions.merged(this, others);
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
