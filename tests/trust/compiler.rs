//! False alarms, false rejections, and what check missed.
