package io.sdds.bench.load;

import io.sdds.client.ClientStatistics;

/**
 * What a client saw of a run, preload and warm-up included.
 *
 * @param operationsPerFlush how many requests went out together: what throughput depends on most
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

    /** Of what was between two readings. */
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
