package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.paper.EmbeddedSite;
import io.sdds.bench.paper.Site;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.process.ProcessSite;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** Where a measurement runs: on bricks that the command starts, or on the cluster of an address. */
final class SiteOptions {
    static final String FOOTER = "Without --connect or --embedded, the command starts bricks and ends them.";

    private static final int BRICKS_MAX = 64;

    @Option(names = "--quick", description = "Run for seconds only. The figures mean little.")
    private boolean quick;

    @Option(names = "--embedded", description = "Run on bricks in this process.")
    private boolean embedded;

    @Option(
            names = "--bricks",
            paramLabel = "N",
            description =
                    "Set the number of bricks to start, unless a measurement chooses it. Default: ${DEFAULT-VALUE}.")
    private int bricks;

    /** @param bricks default number of bricks */
    SiteOptions(int bricks) {
        this.bricks = bricks;
    }

    /** What is measured on a cluster. */
    interface Work<T> {
        T run(Site site) throws IOException, InterruptedException;
    }

    boolean quick() {
        return quick;
    }

    int bricks() {
        return bricks;
    }

    /** Measures, and ends what was started. */
    <T> T run(CommandContext context, Work<T> work) throws IOException, InterruptedException {
        check(context);
        Site site = site(context);
        try (site) {
            return work.run(site);
        } catch (LoadException e) {
            awaitEndOfInterrupted(site);
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            awaitEndOfInterrupted(site);
            throw e;
        }
    }

    /** What is measured on a cluster with a client. */
    interface Measurement {
        BenchResult of(LoadCluster cluster) throws InterruptedException;
    }

    /** Measures with a client, and ends what was started. */
    BenchResult measure(CommandContext context, ClientSettings settings, ProgressLine progress, Measurement measurement)
            throws IOException, InterruptedException {
        return run(context, site -> {
            List<String> addresses = site.cluster(bricks);
            try (SddsClient client = SddsClient.connect(addresses, settings)) {
                return measurement.of(new LoadCluster(client, addresses, settings, site.description(), progress));
            }
        });
    }

    private void check(CommandContext context) {
        if (bricks < 1 || bricks > BRICKS_MAX) {
            throw CommandFailure.usage("--bricks: '" + bricks + "' is not 1 to " + BRICKS_MAX);
        }
        if (embedded && context.addressGiven()) {
            throw CommandFailure.usage("--embedded and an address: use only one of them");
        }
    }

    private Site site(CommandContext context) {
        if (embedded) {
            return new EmbeddedSite();
        }
        return context.addressGiven() ? Site.at(context.addresses()) : new ProcessSite(context::notice);
    }

    private static void awaitEndOfInterrupted(Site site) throws InterruptedException {
        if (site instanceof ProcessSite processes) {
            processes.awaitEndOfInterrupted();
        }
    }
}
