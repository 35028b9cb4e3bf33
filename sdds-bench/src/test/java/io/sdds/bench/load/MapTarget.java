package io.sdds.bench.load;

import io.sdds.client.Callback;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** A map that answers through an executor. */
class MapTarget implements LoadTarget {
    final Map<String, byte[]> records = new ConcurrentHashMap<>();
    final AtomicInteger outstanding = new AtomicInteger();
    final AtomicInteger outstandingMost = new AtomicInteger();
    private final Executor executor;

    MapTarget(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void get(byte[] key, Callback<Object> callback) {
        begin();
        executor.execute(() -> end(callback, records.get(text(key))));
    }

    @Override
    public void put(byte[] key, byte[] value, Callback<Object> callback) {
        begin();
        executor.execute(() -> {
            records.put(text(key), value);
            end(callback, null);
        });
    }

    private void begin() {
        outstandingMost.accumulateAndGet(outstanding.incrementAndGet(), Math::max);
    }

    @SuppressWarnings("NullAway") // a callback's result is nullable
    private void end(Callback<Object> callback, Object result) {
        outstanding.decrementAndGet();
        callback.done(result, null);
    }

    private static String text(byte[] key) {
        return HexFormat.of().formatHex(key);
    }
}
