package io.sdds.brick.bucket;

/** Sees records of a bucket one after the other. It may not change the bucket. */
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
