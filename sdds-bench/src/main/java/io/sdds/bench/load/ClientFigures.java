package io.sdds.bench.load;

import io.sdds.client.ClientStatistics;

/**
 * Counters of a client for a whole run, with preload and warm-up.
 *
 * @param operationsPerFlush mean number of requests in one flush, on which throughput depends most
 */
public record ClientFigures(
        double operationsPerFlush,
        long addressingErrors,
        long addressingForwards,
        long locationForwards,
        long adjustments,
        long imageChanges,
        long blocksFetched,
        long retries,
        long busy,
        long redirects,
        long linksLost) {

    /** The difference of two readings of the counters. */
    public static ClientFigures between(ClientStatistics before, ClientStatistics after) {
        long flushes = after.flushes() - before.flushes();
        double perFlush = (double) (after.requests() - before.requests()) / Math.max(1, flushes);
        return new ClientFigures(
                Math.round(perFlush * 10) / 10.0,
                after.addressingErrors() - before.addressingErrors(),
                after.addressingForwards() - before.addressingForwards(),
                after.locationForwards() - before.locationForwards(),
                after.adjustments() - before.adjustments(),
                after.imageChanges() - before.imageChanges(),
                after.blocksFetched() - before.blocksFetched(),
                after.retries() - before.retries(),
                after.busy() - before.busy(),
                after.redirects() - before.redirects(),
                after.linksLost() - before.linksLost());
    }
}
