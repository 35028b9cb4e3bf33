package io.sdds.client;

/** A codec threw while it decoded a key or value that was read; what it threw is the cause. Nothing is wrong with the cluster, and nothing was changed. */
public final class CodecException extends SddsException {
    private static final long serialVersionUID = 1;

    private CodecException(int bytes, Throwable cause) {
        super("the codec failed to decode " + bytes + " bytes: " + cause, false, cause, false);
    }

    /**
     * Decodes bytes.
     *
     * @throws CodecException for whatever the codec throws: also errors, and checked exceptions that it throws undeclared
     */
    static <T> T decode(Codec<T> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (Throwable e) {
            throw new CodecException(bytes.length, e);
        }
    }
}
