package io.sdds.testkit;

import io.sdds.client.HashTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Writes the keys {@code k0}, {@code k1}, … of a table in rounds, in its own thread, until the test ends it. */
final class RoundWriter {
    private final HashTable<String, String> table;
    private final int keys;
    private final AtomicBoolean ends = new AtomicBoolean();
    private final CompletableFuture<Integer> rounds;

    RoundWriter(HashTable<String, String> table, int keys) {
        this.table = table;
        this.keys = keys;
        this.rounds = CompletableFuture.supplyAsync(this::write);
    }

    private int write() {
        int round = 0;
        while (!ends.get()) {
            round++;
            for (int k = 0; k < keys; k++) {
                table.put("k" + k, "v" + round);
            }
        }
        return round;
    }

    /** Ends the writes after the present round. Returns the value that all keys have then. */
    String end() {
        ends.set(true);
        return "v" + rounds.join();
    }
}
