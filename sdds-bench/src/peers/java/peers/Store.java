package peers;

import java.util.concurrent.CompletionStage;

/**
 * What the harness for comparisons asks of an adapter, to compile against. The harness brings the class; none is made
 * of this.
 */
public interface Store extends AutoCloseable {
    CompletionStage<byte[]> get(byte[] key);

    CompletionStage<?> put(byte[] key, byte[] value);

    /** How many records have keys from {@code lo}, inclusive, to {@code hi}, exclusive; the records were fetched. */
    CompletionStage<Integer> range(byte[] lo, byte[] hi);

    @Override
    default void close() throws Exception {}

    /** Where stores come from; made by a constructor without arguments. */
    interface Connector extends AutoCloseable {
        Store connect(int service) throws Exception;

        @Override
        default void close() throws Exception {}
    }
}
