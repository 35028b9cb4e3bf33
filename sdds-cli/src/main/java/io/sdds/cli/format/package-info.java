/** Records as lines of text: TSV, CSV, NDJSON. */
@NullMarked
package io.sdds.cli.format;

import org.jspecify.annotations.NullMarked;
