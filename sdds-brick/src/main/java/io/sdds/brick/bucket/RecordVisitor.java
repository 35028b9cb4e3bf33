package io.sdds.brick.bucket;

/** Is called with records of a bucket, one after the other. A visitor may not change the bucket. */
@FunctionalInterface
public interface RecordVisitor {

    /**
     * Sees a record.
     *
     * @param ref names it in the record store; valid during the call
     * @param hash its pseudo-key
     */
    void visit(long ref, long hash);
}
