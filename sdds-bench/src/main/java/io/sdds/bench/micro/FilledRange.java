package io.sdds.bench.micro;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.range.RangeBucket;

/** A range bucket with records of 100 bytes. */
final class FilledRange extends Filled {
    static final int VALUE_BYTES = 84;
    static final int RECORD_BYTES = KeySet.KEY_BYTES + VALUE_BYTES;

    final RangeBucket bucket = new RangeBucket(store);

    FilledRange(int records) {
        super(records, VALUE_BYTES);
    }

    @Override
    RangeBucket bucket() {
        return bucket;
    }

    @Override
    PutResult put(int index) {
        return bucket.put(keys.segment(), keys.offset(index), KeySet.KEY_BYTES, value, 0, VALUE_BYTES, index, false);
    }

    @Override
    boolean remove(int index) {
        return bucket.remove(keys.segment(), keys.offset(index), KeySet.KEY_BYTES);
    }
}
