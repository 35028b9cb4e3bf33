package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.paper.EmbeddedSite;
import io.sdds.bench.paper.Site;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.process.ProcessSite;
import java.util.List;
import picocli.CommandLine.Option;

/** Where a measurement of queries runs: on bricks that the command starts, or on the cluster of an address. */
final class SiteOptions {
    static final String FOOTER = "Without --connect or --embedded, the command starts bricks and ends them.";

    private static final int BRICKS_MAX = 64;
    private static final int BRICKS_DEFAULT = 2;

    @Option(names = "--embedded", description = "Run on bricks in this process.")
    private boolean embedded;

    @Option(
            names = "--bricks",
            paramLabel = "N",
            description = "Set the number of bricks that the command starts. Default: ${DEFAULT-VALUE}.")
    private int bricks = BRICKS_DEFAULT;

    /** What is measured on a cluster. */
    interface Work<T> {
        /** @param site the cluster, for the report */
        T run(List<String> addresses, String site) throws InterruptedException;
    }

    /** Measures, and ends what was started. */
    <T> T run(CommandContext sdds, Work<T> work) throws InterruptedException {
        check(sdds);
        Site site = site(sdds);
        try (site) {
            return work.run(site.cluster(bricks), site.description());
        } catch (LoadException e) {
            awaitEndOfInterrupted(site);
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            awaitEndOfInterrupted(site);
            throw e;
        }
    }

    private void check(CommandContext sdds) {
        if (bricks < 1 || bricks > BRICKS_MAX) {
            throw CommandFailure.usage("--bricks: '" + bricks + "' is not 1 to " + BRICKS_MAX);
        }
        if (embedded && sdds.addressGiven()) {
            throw CommandFailure.usage("--embedded and an address: use only one of them");
        }
    }

    private Site site(CommandContext sdds) {
        if (embedded) {
            return new EmbeddedSite();
        }
        return sdds.addressGiven() ? Site.at(sdds.addresses()) : new ProcessSite(sdds::notice);
    }

    private static void awaitEndOfInterrupted(Site site) throws InterruptedException {
        if (site instanceof ProcessSite processes) {
            processes.awaitEndOfInterrupted();
        }
    }

    /** The options that are set, as they are typed, with a blank before each. */
    String asTyped() {
        return (embedded ? " --embedded" : "") + (bricks == BRICKS_DEFAULT ? "" : " --bricks " + bricks);
    }
}
