package io.sdds.client.internal.routing;

/** What a client has seen since its start. Read and written on its node's thread. */
public final class Counters {
    /** Requests begun; a retry is not one more. */
    public long requests;
    /** Copies sent again, after a refusal or a lost link. */
    public long retries;
    /** Replies that came over at least one addressing forward: the image was wrong. */
    public long addressingErrors;
    /** Forwards between partitions, by LH* addressing. */
    public long addressingForwards;
    /** Forwards to where a partition lives now. */
    public long locationForwards;
    /** Image adjustments received. */
    public long adjustments;
    /** Those of them that changed the image's number of partitions. */
    public long imageChanges;
    /** Address blocks fetched. */
    public long blocksFetched;
    /** Copies refused BUSY. */
    public long busy;
    /** Requests refused without asking, because enough waited for a busy brick. */
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
    /** Those of them that nobody answered in time. */
    public long multicastsUnanswered;
    /** Those of the multicasts that left as one datagram. */
    public long datagrams;
    /** Those of them that nobody answered in time, so that they were sent again over the connections. */
    public long datagramsUnanswered;
    /** Range queries of the index of partitions. */
    public long lookups;
    /** Times this client's writes were flushed to a connection. */
    public long flushes;
    /** Links closed because what came over them was not what was sent. */
    public long checksumFailures;
}
