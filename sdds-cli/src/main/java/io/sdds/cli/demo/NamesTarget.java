package io.sdds.cli.demo;

import io.sdds.bench.load.LoadTarget;
import io.sdds.client.Callback;
import io.sdds.client.HashTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Load target on the names. A get must return the right name. A put writes the name again. */
final class NamesTarget implements LoadTarget {
    private final HashTable<byte[], byte[]> table;
    private final byte[][] keys;
    private final byte[][] values;
    private final AtomicLong wrong = new AtomicLong();

    NamesTarget(HashTable<byte[], byte[]> table, Map<String, String> names) {
        this.table = table;
        keys = names.keySet().stream()
                .map(key -> key.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        values = names.values().stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** Maps a key of the load to one of the names. */
    private int numberOf(byte[] key) {
        return Math.floorMod(Arrays.hashCode(key) * 0x9E3779B1, keys.length);
    }

    @Override
    public void get(byte[] key, Callback<Object> callback) {
        int number = numberOf(key);
        table.getAsync(keys[number], (value, failure) -> {
            if (failure == null && !Arrays.equals(value, values[number])) {
                wrong.incrementAndGet();
            }
            callback.done(value, failure);
        });
    }

    @Override
    public void put(byte[] key, byte[] value, Callback<Object> callback) {
        int number = numberOf(key);
        table.putAsync(keys[number], values[number], callback);
    }

    @Override
    public boolean keepsRecords() {
        return false;
    }

    /** Number of gets that returned a wrong name. */
    long wrong() {
        return wrong.get();
    }
}
