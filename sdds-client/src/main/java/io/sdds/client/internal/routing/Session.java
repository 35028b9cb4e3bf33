package io.sdds.client.internal.routing;

/** One session of this client: its number and the numbers of its writes. */
final class Session {
    final long number;
    final Seqs seqs = new Seqs();

    Session(long number) {
        this.number = number;
    }
}
