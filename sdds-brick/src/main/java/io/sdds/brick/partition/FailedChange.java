package io.sdds.brick.partition;

/** A write has failed after it had begun to take effect. Its partition can't be trusted any more. */
public final class FailedChange extends RuntimeException {
    private static final long serialVersionUID = 1;

    FailedChange(Partition partition, Request request, RuntimeException cause) {
        super(
                "a write of opcode " + request.opcode + " failed halfway, in table " + partition.table() + " partition "
                        + partition.number(),
                cause);
    }
}
