package io.sdds.client;

import io.sdds.client.internal.routing.Counters;

/**
 * Counts of a client since it was connected. The counts only grow.
 *
 * @param requests requests begun
 * @param retries copies sent again after a refusal or an uncertain answer
 * @param addressingErrors requests that reached a wrong partition first, because the image was stale
 * @param addressingForwards forwards between partitions that these requests took, at most two each in a quiet table
 * @param locationForwards forwards to the present brick of a partition that has moved
 * @param adjustments image adjustments that came with replies
 * @param imageChanges adjustments that changed an image's number of partitions
 * @param blocksFetched address blocks fetched
 * @param busy refusals by overloaded bricks
 * @param heldBack requests that this client refused because enough requests waited for a busy brick
 * @param redirects replies of bricks that could not forward a request
 * @param timeouts requests given up at their deadline
 * @param linksLost links that broke
 * @param multicasts requests sent to all bricks of their range table
 * @param multicastsUnanswered requests for all bricks that went to the brick that the map names, because no brick
 *     answered in time, or no connection and window had room for them
 * @param datagrams multicasts that left as one datagram
 * @param datagramsUnanswered datagrams that no brick answered in time, so that their requests were sent again over the
 *     connections
 * @param lookups range queries of the index of partitions
 * @param flushes times that gathered requests were given to a connection
 * @param checksumFailures links closed because the checksum of received bytes was wrong
 */
public record ClientStatistics(
        long requests,
        long retries,
        long addressingErrors,
        long addressingForwards,
        long locationForwards,
        long adjustments,
        long imageChanges,
        long blocksFetched,
        long busy,
        long heldBack,
        long redirects,
        long timeouts,
        long linksLost,
        long multicasts,
        long multicastsUnanswered,
        long datagrams,
        long datagramsUnanswered,
        long lookups,
        long flushes,
        long checksumFailures) {

    static ClientStatistics of(Counters counters) {
        return new ClientStatistics(
                counters.requests,
                counters.retries,
                counters.addressingErrors,
                counters.addressingForwards,
                counters.locationForwards,
                counters.adjustments,
                counters.imageChanges,
                counters.blocksFetched,
                counters.busy,
                counters.heldBack,
                counters.redirects,
                counters.timeouts,
                counters.linksLost,
                counters.multicasts,
                counters.multicastsUnanswered,
                counters.datagrams,
                counters.datagramsUnanswered,
                counters.lookups,
                counters.flushes,
                counters.checksumFailures);
    }

    /** The sums of the counts of two clients. */
    public ClientStatistics plus(ClientStatistics other) {
        return new ClientStatistics(
                requests + other.requests,
                retries + other.retries,
                addressingErrors + other.addressingErrors,
                addressingForwards + other.addressingForwards,
                locationForwards + other.locationForwards,
                adjustments + other.adjustments,
                imageChanges + other.imageChanges,
                blocksFetched + other.blocksFetched,
                busy + other.busy,
                heldBack + other.heldBack,
                redirects + other.redirects,
                timeouts + other.timeouts,
                linksLost + other.linksLost,
                multicasts + other.multicasts,
                multicastsUnanswered + other.multicastsUnanswered,
                datagrams + other.datagrams,
                datagramsUnanswered + other.datagramsUnanswered,
                lookups + other.lookups,
                flushes + other.flushes,
                checksumFailures + other.checksumFailures);
    }
}
