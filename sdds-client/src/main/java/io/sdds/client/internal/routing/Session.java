package io.sdds.client.internal.routing;

/** One session of this client: its number and the numbers of its writes. */
final class Session {
    final long number;
    final SequenceWindow seqs = new SequenceWindow();

    Session(long number) {
        this.number = number;
    }
}
