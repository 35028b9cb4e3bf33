package io.sdds.client.internal.routing;

/** Counts of a client since its start. Read and written on its node's thread. */
public final class Counters {
    /** Requests begun; retries are not counted. */
    public long requests;
    /** Copies sent again, after a refusal or a lost link. */
    public long retries;
    /** Replies that came over at least one addressing forward, because the image was wrong. */
    public long addressingErrors;
    /** Forwards between partitions, by LH* addressing. */
    public long addressingForwards;
    /** Forwards to the present brick of a partition. */
    public long locationForwards;
    /** Image adjustments received. */
    public long adjustments;
    /** Image adjustments that changed the image's number of partitions. */
    public long imageChanges;
    /** Address blocks fetched. */
    public long blocksFetched;
    /** Copies refused BUSY. */
    public long busy;
    /** Requests that this client refused because enough requests waited for a busy brick. */
    public long heldBack;
    /** Copies answered REDIRECT. */
    public long redirects;
    /** Requests given up at their deadline. */
    public long timeouts;
    /** Links that went down after they were up. */
    public long linksLost;
    /** Replies to requests that had been given up. */
    public long lateReplies;
    /** Requests sent to all bricks of their table. */
    public long multicasts;
    /** Multicasts that no brick answered in time. */
    public long multicastsUnanswered;
    /** Multicasts that left as one datagram. */
    public long datagrams;
    /** Datagrams that no brick answered in time, so that their requests were sent again over the connections. */
    public long datagramsUnanswered;
    /** Range queries of the index of partitions. */
    public long lookups;
    /** Times this client's writes were flushed to a connection. */
    public long flushes;
    /** Links closed because the checksum of received bytes was wrong. */
    public long checksumFailures;
}
