/** The codecs of types, functions, composite keys and records, and what checks them against the schema of a table. */
@NullMarked
package io.sdds.client.internal.codec;

import org.jspecify.annotations.NullMarked;
